package io.github.flinkps.flink.table.function;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.inference.ArgumentCount;
import org.apache.flink.table.types.inference.CallContext;
import org.apache.flink.table.types.inference.ConstantArgumentCount;
import org.apache.flink.table.types.inference.InputTypeStrategy;
import org.apache.flink.table.types.inference.Signature;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * The arguments of a {@link MetricFunction}: numbers of any type, which Flink casts to DOUBLE, and
 * labels that may be BOOLEAN.
 *
 * @param function whose they are
 * @param score name of the first
 * @param truths whether labels may be BOOLEAN
 */
record MetricArguments(String function, String score, boolean truths)
        implements InputTypeStrategy, Serializable {
    private static final int LABEL = 1;

    @Override
    public ArgumentCount getArgumentCount() {
        return ConstantArgumentCount.between(2, 3);
    }

    @Override
    public Optional<List<DataType>> inferInputTypes(CallContext call, boolean throwOnFailure) {
        List<DataType> expected = new ArrayList<>();
        for (DataType argument : call.getArgumentDataTypes()) {
            int at = expected.size();
            LogicalType type = argument.getLogicalType();
            if (type.is(LogicalTypeFamily.NUMERIC) || type.is(LogicalTypeRoot.NULL)) {
                expected.add(DataTypes.DOUBLE());
            } else if (at == LABEL && truths && type.is(LogicalTypeRoot.BOOLEAN)) {
                expected.add(DataTypes.BOOLEAN());
            } else {
                return call.fail(
                        throwOnFailure,
                        "%s: argument '%s' must be %s, but is of type %s.",
                        function,
                        names().get(at),
                        kind(at),
                        type.asSummaryString());
            }
        }
        return Optional.of(expected);
    }

    private List<String> names() {
        return List.of(score, "label", "weight");
    }

    private String kind(int argument) {
        return argument == LABEL && truths ? "numeric or BOOLEAN" : "numeric";
    }

    @Override
    public List<Signature> getExpectedSignatures(FunctionDefinition definition) {
        List<Signature.Argument> arguments = new ArrayList<>();
        List<Signature> signatures = new ArrayList<>();
        for (String name : names()) {
            arguments.add(Signature.Argument.of(name, kind(arguments.size())));
            if (arguments.size() > LABEL) {
                signatures.add(Signature.of(List.copyOf(arguments)));
            }
        }
        return signatures;
    }
}
