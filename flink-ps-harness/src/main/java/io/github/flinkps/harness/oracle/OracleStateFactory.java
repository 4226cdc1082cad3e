package io.github.flinkps.harness.oracle;

import java.nio.file.Path;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.state.StateBackendFactory;

/** Makes {@link OracleState}; Flink finds it by its name. */
public final class OracleStateFactory implements StateBackendFactory<OracleState> {
    /** Folder of the run's hooks. */
    static final ConfigOption<String> HOOKS =
            ConfigOptions.key("flink-ps.oracle.hooks").stringType().noDefaultValue();

    @Override
    public OracleState createFromConfig(ReadableConfig config, ClassLoader loader) {
        return new OracleState(new OracleHooks(Path.of(config.get(HOOKS))));
    }
}
