package io.github.flinkps.flink.ml;

import java.util.Optional;
import org.apache.flink.ml.linalg.DenseVector;
import org.apache.flink.ml.linalg.typeinfo.DenseVectorTypeInfo;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.table.types.inference.TypeInference;

/**
 * An ARRAY of numbers as a dense Vector, whose positions are the keys of features. NULL for NULL.
 */
public final class ArrayToVector extends ScalarFunction {
    private static final long serialVersionUID = 1L;

    /**
     * Returns the vector of an array.
     *
     * @throws IllegalArgumentException if one of its elements is NULL
     */
    public DenseVector eval(Double[] numbers) {
        if (numbers == null) {
            return null;
        }
        double[] values = new double[numbers.length];
        for (int place = 0; place < values.length; place++) {
            if (numbers[place] == null) {
                throw new IllegalArgumentException(
                        "a Vector cannot be made of an array with NULL, which is at " + place);
            }
            values[place] = numbers[place];
        }
        return new DenseVector(values);
    }

    @Override
    public TypeInference getTypeInference(DataTypeFactory types) {
        return TypeInference.newBuilder()
                .typedArguments(DataTypes.ARRAY(DataTypes.DOUBLE()))
                .outputTypeStrategy(
                        call -> Optional.of(types.createRawDataType(DenseVectorTypeInfo.INSTANCE)))
                .build();
    }
}
