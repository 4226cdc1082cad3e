package io.github.flinkps.flink.table.function;

import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.functions.AsyncScalarFunction;
import org.apache.flink.table.functions.SpecializedFunction;
import org.apache.flink.table.functions.UserDefinedFunction;
import org.apache.flink.table.types.inference.TypeInference;

/**
 * {@code PS_PREDICT_ASYNC('DATABASE.MODEL', feature, ..)}: as {@link PsPredict}, but rows do not
 * wait for each other: those that come while others are scored are scored together, next. As with
 * all such functions of Flink, a feature that is NULL makes the score NULL.
 */
public final class PsPredictAsync extends AsyncScalarFunction implements SpecializedFunction {
    /** The name of the function in SQL. */
    public static final String NAME = "PS_PREDICT_ASYNC";

    private static final long serialVersionUID = 1L;

    private final PredictArguments arguments;

    /**
     * @param options those of the module
     */
    public PsPredictAsync(ReadableConfig options) {
        PredictSource source = PredictSource.of(options);
        this.arguments = new PredictArguments(NAME, source, PredictArguments.Result.SCORES_OR_NULL);
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
        return BoundPredictAsync.of(arguments, arguments.bind(context.getCallContext()));
    }
}
