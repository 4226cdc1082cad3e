package io.github.flinkps.flink.ml;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.flink.ml.linalg.Vector;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.inference.ArgumentCount;
import org.apache.flink.table.types.inference.CallContext;
import org.apache.flink.table.types.inference.ConstantArgumentCount;
import org.apache.flink.table.types.inference.InputTypeStrategy;
import org.apache.flink.table.types.inference.Signature;
import org.apache.flink.table.types.inference.TypeInference;

/**
 * The numbers of a Vector, which SQL cannot look into, such as a raw prediction: an ARRAY of
 * DOUBLE, with a 0 in each position that a sparse one leaves out. NULL for NULL.
 */
public final class VectorToArray extends ScalarFunction {
    private static final long serialVersionUID = 1L;

    public Double[] eval(Vector vector) {
        return vector == null
                ? null
                : Arrays.stream(vector.toArray()).boxed().toArray(Double[]::new);
    }

    @Override
    public TypeInference getTypeInference(DataTypeFactory types) {
        return TypeInference.newBuilder()
                .inputTypeStrategy(new OneVector())
                .outputTypeStrategy(call -> Optional.of(DataTypes.ARRAY(DataTypes.DOUBLE())))
                .build();
    }

    /** Vectors are of one class or another, so that no type names them all. */
    private static final class OneVector implements InputTypeStrategy {
        @Override
        public ArgumentCount getArgumentCount() {
            return ConstantArgumentCount.of(1);
        }

        @Override
        public Optional<List<DataType>> inferInputTypes(CallContext call, boolean throwOnFailure) {
            DataType given = call.getArgumentDataTypes().get(0);
            return Vector.class.isAssignableFrom(given.getConversionClass())
                    ? Optional.of(List.of(given))
                    : call.fail(throwOnFailure, "a Vector is needed, not %s", given);
        }

        @Override
        public List<Signature> getExpectedSignatures(FunctionDefinition definition) {
            return List.of(Signature.of(Signature.Argument.of("Vector")));
        }
    }
}
