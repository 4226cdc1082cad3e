package io.github.flinkps.flink.table.module;

import io.github.flinkps.flink.table.function.PsAccuracy;
import io.github.flinkps.flink.table.function.PsAuc;
import io.github.flinkps.flink.table.function.PsLogloss;
import io.github.flinkps.flink.table.function.PsNdcgAt;
import io.github.flinkps.flink.table.function.PsPrecisionAt;
import io.github.flinkps.flink.table.function.PsPredict;
import io.github.flinkps.flink.table.function.PsPredictAsync;
import io.github.flinkps.flink.table.function.PsPredictLabel;
import io.github.flinkps.flink.table.function.PsRmse;
import io.github.flinkps.flink.table.function.PsTrain;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.module.Module;

/** {@code LOAD MODULE ps}: the functions of SQL, under their names in upper or lower case. */
public final class PsModule implements Module {
    /** Makes a function, given the options of the module. A function more is a line more here. */
    private static final Map<String, Function<ReadableConfig, FunctionDefinition>> FUNCTIONS =
            new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    static {
        FUNCTIONS.put(PsAccuracy.NAME, options -> new PsAccuracy());
        FUNCTIONS.put(PsAuc.NAME, options -> new PsAuc());
        FUNCTIONS.put(PsLogloss.NAME, options -> new PsLogloss());
        FUNCTIONS.put(PsNdcgAt.NAME, options -> new PsNdcgAt());
        FUNCTIONS.put(PsPrecisionAt.NAME, options -> new PsPrecisionAt());
        FUNCTIONS.put(PsRmse.NAME, options -> new PsRmse());
        FUNCTIONS.put(PsPredict.NAME, PsPredict::new);
        FUNCTIONS.put(PsPredictAsync.NAME, PsPredictAsync::new);
        FUNCTIONS.put(PsPredictLabel.NAME, PsPredictLabel::new);
        FUNCTIONS.put(PsTrain.NAME, PsTrain::new);
    }

    private final ReadableConfig options;

    /**
     * @param options those of {@link PsModuleFactory}
     */
    public PsModule(ReadableConfig options) {
        this.options = options;
    }

    @Override
    public Set<String> listFunctions() {
        return Set.copyOf(FUNCTIONS.keySet());
    }

    @Override
    public Optional<FunctionDefinition> getFunctionDefinition(String name) {
        return Optional.ofNullable(FUNCTIONS.get(name)).map(maker -> maker.apply(options));
    }
}
