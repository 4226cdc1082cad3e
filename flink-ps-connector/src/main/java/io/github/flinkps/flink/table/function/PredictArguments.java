package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.internal.compat.SqlTypes;
import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.table.ModelColumn;
import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.RowEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.inference.ArgumentCount;
import org.apache.flink.table.types.inference.CallContext;
import org.apache.flink.table.types.inference.ConstantArgumentCount;
import org.apache.flink.table.types.inference.InputTypeStrategy;
import org.apache.flink.table.types.inference.Signature;
import org.apache.flink.table.types.inference.TypeInference;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * The arguments of functions that score: the name of a model, which must be a literal, and its
 * features.
 *
 * @param function whose they are
 * @param source where the model is found
 * @param result what the function gives
 */
record PredictArguments(String function, PredictSource source, Result result)
        implements InputTypeStrategy, PredictInference {
    private static final long serialVersionUID = 1L;

    /** The result of a function for a row. */
    enum Result {
        SCORES,
        /** Scores, and NULL from Flink itself for a feature that is NULL. */
        SCORES_OR_NULL,
        LABEL
    }

    @Override
    public TypeInference inference() {
        return TypeInference.newBuilder()
                .inputTypeStrategy(this)
                .outputTypeStrategy(call -> Optional.of(output(bind(call))))
                .build();
    }

    private DataType output(BoundModel bound) {
        return result == Result.SCORES_OR_NULL ? bound.output().nullable() : bound.output();
    }

    /**
     * Returns the model of a call, whose features fit it.
     *
     * @throws ValidationException naming what does not fit
     */
    BoundModel bind(CallContext call) {
        ModelPath name = source.name(function, call);
        ModelSpec spec = ModelSpec.of(name.toString(), source.definition(name));
        List<ModelColumn> features = spec.features();
        List<LogicalType> given = new ArrayList<>();
        List<DataType> arguments = call.getArgumentDataTypes();
        if (arguments.size() != features.size() + 1) {
            throw new ValidationException(
                    function
                            + ": model "
                            + name
                            + " has "
                            + features.size()
                            + " features ("
                            + String.join(", ", features.stream().map(ModelColumn::name).toList())
                            + "), but "
                            + (arguments.size() - 1)
                            + " are given");
        }
        for (int i = 0; i < features.size(); i++) {
            LogicalType type = arguments.get(i + 1).getLogicalType();
            given.add(type.is(LogicalTypeRoot.NULL) ? spec.type(features.get(i)) : type);
        }
        RowEncoder rows;
        ModelLabels labels;
        try {
            rows = spec.featureRows(given);
            labels = result == Result.LABEL ? new ModelLabels(spec) : null;
        } catch (ValidationException e) {
            throw ModelSpec.refused(function + ": model " + name + ": " + e.getMessage(), e);
        }
        PredictorSpec predictor = source.predictor(name, spec);
        return new BoundModel(new FeatureScorer(spec.model(), rows, predictor), given, labels);
    }

    @Override
    public ArgumentCount getArgumentCount() {
        return ConstantArgumentCount.from(2);
    }

    @Override
    public Optional<List<DataType>> inferInputTypes(CallContext call, boolean throwOnFailure) {
        BoundModel bound;
        try {
            bound = bind(call);
        } catch (ValidationException e) {
            return call.fail(throwOnFailure, "%s", e.getMessage());
        }
        List<DataType> expected = new ArrayList<>();
        expected.add(SqlTypes.internal(call.getArgumentDataTypes().get(0).getLogicalType()));
        bound.types().forEach(type -> expected.add(SqlTypes.internal(type)));
        return Optional.of(expected);
    }

    @Override
    public List<Signature> getExpectedSignatures(FunctionDefinition definition) {
        return List.of(
                Signature.of(
                        Signature.Argument.of("model", "a literal"),
                        Signature.Argument.of("features", "as declared")));
    }
}
