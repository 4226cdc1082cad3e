package io.github.flinkps.flink.table.module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.testing.SqlSession;
import java.util.Arrays;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PsModuleTest {
    private final TableEnvironment tables =
            TableEnvironment.create(EnvironmentSettings.inStreamingMode());

    @Test
    void bringsItsFunctions() {
        assertThat(tables.listFunctions()).noneMatch(name -> name.startsWith("PS_"));
        tables.executeSql("LOAD MODULE ps WITH ('model-root' = 'file:///tmp/models')");
        assertThat(Arrays.stream(tables.listFunctions()).map(String::toUpperCase))
                .contains("PS_AUC", "PS_LOGLOSS", "PS_RMSE")
                .contains("PS_PREDICT", "PS_PREDICT_ASYNC", "PS_PREDICT_LABEL", "PS_TRAIN");
        assertThat(tables.explainSql("SELECT Ps_Auc(1, 1), PS_AUC(1, 1)")).contains("AUC");
        tables.executeSql("UNLOAD MODULE ps");
        assertThatThrownBy(() -> tables.explainSql("SELECT PS_AUC(1, 1)"))
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void namesItsOptionsWhereOneIsUnknown() {
        assertThatThrownBy(() -> tables.executeSql("LOAD MODULE ps WITH ('model-rot' = 'x')"))
                .hasStackTraceContaining("Unsupported options:\n\nmodel-rot")
                .hasStackTraceContaining("Supported options:\n\ncache-rows\nmodel-root");
    }

    @ParameterizedTest
    @CsvSource({
        "refresh-interval, 0 s, 'refresh-interval must be at least 1 ms, not 0 s'",
        "cache-rows, -1, 'cache-rows must be at least 0, not -1'",
        "peer-timeout, 0 s, 'peer-timeout must be between 1 s and 3600 s, not 0 s'",
        "timeout, 0 s, 'timeout must be at least 1 ms, not 0 s'",
        "refresh-interval, soon, 'Invalid value for option ''refresh-interval''. Could not parse'",
        "remote, a:1;nope, not an address: 'nope'",
        "remote, a:1;a:1, remote names the server a:1 twice",
    })
    void refusesOptionsThatAreOutOfRange(String option, String value, String message) {
        String load = "LOAD MODULE ps WITH ('%s' = '%s')".formatted(option, value);
        assertThatThrownBy(() -> tables.executeSql(load))
                .isInstanceOf(ValidationException.class)
                .satisfies(
                        thrown -> assertThat(SqlSession.shownByClient(thrown)).contains(message));
        assertThat(tables.listModules()).doesNotContain("ps");
    }
}
