package io.github.flinkps.flink.table.function;

import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.internal.compat.SqlTypes;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.table.ModelColumn;
import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.TrainingTable;
import java.io.Serializable;
import java.io.UncheckedIOException;
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
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * The arguments of {@link PsTrain}: the name of a model, which must be a literal, and its columns
 * as they were declared.
 *
 * @param source where the model is found
 * @param checked types of the columns where they were checked before; else null
 */
record TrainArguments(PredictSource source, List<LogicalType> checked)
        implements InputTypeStrategy, Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * Returns the types of the columns of a call, with that of the declaration for a literal NULL.
     *
     * @throws ValidationException naming what does not fit, or why the model cannot be trained
     */
    private List<LogicalType> check(CallContext call) {
        ModelPath name = source.name(PsTrain.NAME, call);
        source.definition(name);
        try {
            TrainingTable table = source.table(name);
            List<ModelColumn> columns = table.spec().definition().columns();
            List<DataType> arguments = call.getArgumentDataTypes();
            if (arguments.size() != columns.size() + 1) {
                throw new ValidationException(
                        "it has "
                                + columns.size()
                                + " columns ("
                                + String.join(
                                        ", ", columns.stream().map(ModelColumn::name).toList())
                                + "), but "
                                + (arguments.size() - 1)
                                + " are given");
            }
            List<LogicalType> given = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                LogicalType type = arguments.get(i + 1).getLogicalType();
                given.add(type.is(LogicalTypeRoot.NULL) ? table.spec().type(columns.get(i)) : type);
            }
            table.spec().trainingRows(given);
            ArrowModelArchive.localPath(table.versions(), PsTrain.NAME);
            table.start();
            return given;
        } catch (IllegalArgumentException
                | PsException
                | UncheckedIOException
                | ValidationException e) {
            throw ModelSpec.refused(PsTrain.NAME + ": model " + name + ": " + e.getMessage(), e);
        }
    }

    @Override
    public ArgumentCount getArgumentCount() {
        return ConstantArgumentCount.from(2);
    }

    @Override
    public Optional<List<DataType>> inferInputTypes(CallContext call, boolean throwOnFailure) {
        try {
            return Optional.of(internal(call, checked == null ? check(call) : checked));
        } catch (ValidationException e) {
            return call.fail(throwOnFailure, "%s", e.getMessage());
        }
    }

    /** Returns the types of a call in Flink's own structures. */
    private static List<DataType> internal(CallContext call, List<LogicalType> columns) {
        List<DataType> expected = new ArrayList<>();
        expected.add(SqlTypes.internal(call.getArgumentDataTypes().get(0).getLogicalType()));
        columns.forEach(type -> expected.add(SqlTypes.internal(type)));
        return expected;
    }

    @Override
    public List<Signature> getExpectedSignatures(FunctionDefinition definition) {
        return List.of(
                Signature.of(
                        Signature.Argument.of("model", "a literal"),
                        Signature.Argument.of("columns", "as declared")));
    }
}
