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
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * The arguments of a {@link MetricFunction}. Numbers are of any type, which Flink casts to DOUBLE.
 *
 * @param function whose they are
 * @param first what the function measures
 * @param label what it is measured by
 * @param last the third one
 */
record MetricArguments(String function, Argument first, Argument label, Argument last)
        implements InputTypeStrategy, Serializable {
    /** The name of most third arguments. */
    static final String WEIGHT = "weight";

    private static final long serialVersionUID = 1L;
    private static final int FEWEST = 2;

    /** The types that an argument may have. */
    enum Kind {
        NUMBER("numeric"),
        TRUTH("numeric or BOOLEAN"),
        SCORES("numeric or an ARRAY of numbers"),
        LABEL("numeric, BOOLEAN or STRING");

        private final String shown;

        Kind(String shown) {
            this.shown = shown;
        }

        /** Returns what Flink casts a type to; none if it is not allowed. */
        private Optional<DataType> of(LogicalType type) {
            if (type.is(LogicalTypeFamily.NUMERIC) || type.is(LogicalTypeRoot.NULL)) {
                return Optional.of(DataTypes.DOUBLE());
            }
            if (this != NUMBER && this != SCORES && type.is(LogicalTypeRoot.BOOLEAN)) {
                return Optional.of(DataTypes.BOOLEAN());
            }
            if (this == LABEL && type.is(LogicalTypeFamily.CHARACTER_STRING)) {
                return Optional.of(DataTypes.STRING());
            }
            boolean numbers =
                    type instanceof ArrayType array
                            && array.getElementType().is(LogicalTypeFamily.NUMERIC);
            return this == SCORES && numbers
                    ? Optional.of(DataTypes.ARRAY(DataTypes.DOUBLE()))
                    : Optional.empty();
        }
    }

    /**
     * An argument.
     *
     * @param name for messages
     * @param kind of its types
     * @param optional whether it may be left out
     */
    record Argument(String name, Kind kind, boolean optional) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** Returns those of a function whose rows have weights. */
    static MetricArguments weighted(String function, String first, Kind kind, Kind label) {
        return new MetricArguments(
                function,
                new Argument(first, kind, false),
                new Argument("label", label, false),
                new Argument(WEIGHT, Kind.NUMBER, true));
    }

    private List<Argument> all() {
        return List.of(first, label, last);
    }

    @Override
    public ArgumentCount getArgumentCount() {
        return ConstantArgumentCount.between(last.optional ? FEWEST : FEWEST + 1, FEWEST + 1);
    }

    @Override
    public Optional<List<DataType>> inferInputTypes(CallContext call, boolean throwOnFailure) {
        List<DataType> expected = new ArrayList<>();
        for (DataType given : call.getArgumentDataTypes()) {
            Argument argument = all().get(expected.size());
            Optional<DataType> wanted = argument.kind.of(given.getLogicalType());
            if (wanted.isEmpty()) {
                return call.fail(
                        throwOnFailure,
                        "%s: argument '%s' must be %s, but is of type %s.",
                        function,
                        argument.name,
                        argument.kind.shown,
                        given.getLogicalType().asSummaryString());
            }
            expected.add(wanted.get());
        }
        if (first.kind == Kind.LABEL && isText(expected.get(0)) != isText(expected.get(1))) {
            return call.fail(
                    throwOnFailure,
                    "%s: arguments '%s' and '%s' must both be texts, or both be numbers.",
                    function,
                    first.name,
                    label.name);
        }
        return Optional.of(expected);
    }

    private static boolean isText(DataType type) {
        return type.getLogicalType().is(LogicalTypeFamily.CHARACTER_STRING);
    }

    @Override
    public List<Signature> getExpectedSignatures(FunctionDefinition definition) {
        List<Signature.Argument> arguments = new ArrayList<>();
        List<Signature> signatures = new ArrayList<>();
        for (Argument argument : all()) {
            arguments.add(Signature.Argument.of(argument.name, argument.kind.shown));
            if (arguments.size() > FEWEST || arguments.size() == FEWEST && last.optional) {
                signatures.add(Signature.of(List.copyOf(arguments)));
            }
        }
        return signatures;
    }
}
