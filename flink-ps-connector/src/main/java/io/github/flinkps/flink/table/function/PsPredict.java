package io.github.flinkps.flink.table.function;

import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.table.functions.SpecializedFunction;
import org.apache.flink.table.functions.UserDefinedFunction;
import org.apache.flink.table.types.inference.TypeInference;

/**
 * {@code PS_PREDICT('DATABASE.MODEL', feature, ..)}: the score of a row, DOUBLE, or an ARRAY of
 * them for a model of several; the features in the order of their declaration, without label and
 * weight. Model and features are checked when the statement is validated.
 */
public final class PsPredict extends ScalarFunction implements SpecializedFunction {
    /** The name of the function in SQL. */
    public static final String NAME = "PS_PREDICT";

    private static final long serialVersionUID = 1L;

    private final PredictArguments arguments;

    /**
     * @param options those of the module
     */
    public PsPredict(ReadableConfig options) {
        PredictSource source = PredictSource.of(options);
        this.arguments = new PredictArguments(NAME, source, PredictArguments.Result.SCORES);
    }

    @Override
    public TypeInference getTypeInference(DataTypeFactory types) {
        return arguments.inference();
    }

    /** Returns false: a model that is trained, or retrained, scores otherwise. */
    @Override
    public boolean isDeterministic() {
        return false;
    }

    @Override
    public UserDefinedFunction specialize(SpecializedContext context) {
        return BoundPredict.of(arguments, arguments.bind(context.getCallContext()));
    }
}
