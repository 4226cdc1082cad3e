package io.github.flinkps.flink.table.function;

import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.table.functions.SpecializedFunction;
import org.apache.flink.table.functions.UserDefinedFunction;
import org.apache.flink.table.types.inference.TypeInference;

/**
 * {@code PS_PREDICT_LABEL('DATABASE.MODEL', feature, ..)}: the likeliest label of a row, as the
 * rows that trained have it: of the type of the column of labels. For models that tell labels
 * apart; arguments are those of {@link PsPredict}.
 */
public final class PsPredictLabel extends ScalarFunction implements SpecializedFunction {
    /** The name of the function in SQL. */
    public static final String NAME = "PS_PREDICT_LABEL";

    private static final long serialVersionUID = 1L;

    private final PredictArguments arguments;

    /**
     * @param options those of the module
     */
    public PsPredictLabel(ReadableConfig options) {
        PredictSource source = PredictSource.of(options);
        this.arguments = new PredictArguments(NAME, source, PredictArguments.Result.LABEL);
    }

    @Override
    public TypeInference getTypeInference(DataTypeFactory types) {
        return arguments.inference();
    }

    /** Returns false: a model that is trained, or retrained, predicts otherwise. */
    @Override
    public boolean isDeterministic() {
        return false;
    }

    @Override
    public UserDefinedFunction specialize(SpecializedContext context) {
        return new BoundPredict.Label(arguments, arguments.bind(context.getCallContext()));
    }
}
