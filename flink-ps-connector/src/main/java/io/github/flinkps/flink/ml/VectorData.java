package io.github.flinkps.flink.ml;

import java.util.Arrays;
import org.apache.flink.ml.linalg.SparseVector;
import org.apache.flink.ml.linalg.Vector;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.MapData;

/** A vector as a map of indices to numbers, without those that are 0. */
final class VectorData implements MapData {
    private final long[] indices;
    private final double[] values;

    private VectorData(long[] indices, double[] values) {
        this.indices = indices;
        this.values = values;
    }

    static VectorData of(Vector vector) {
        boolean sparse = vector instanceof SparseVector;
        int[] places = sparse ? ((SparseVector) vector).indices : null;
        double[] given = sparse ? ((SparseVector) vector).values : vector.toArray();
        long[] indices = new long[given.length];
        double[] values = new double[given.length];
        int count = 0;
        for (int i = 0; i < given.length; i++) {
            if (given[i] != 0) {
                indices[count] = sparse ? places[i] : i;
                values[count++] = given[i];
            }
        }
        return new VectorData(Arrays.copyOf(indices, count), Arrays.copyOf(values, count));
    }

    @Override
    public int size() {
        return indices.length;
    }

    @Override
    public ArrayData keyArray() {
        return new GenericArrayData(indices);
    }

    @Override
    public ArrayData valueArray() {
        return new GenericArrayData(values);
    }
}
