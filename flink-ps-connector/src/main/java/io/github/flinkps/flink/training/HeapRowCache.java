package io.github.flinkps.flink.training;

import java.util.ArrayList;
import java.util.List;

/** Keeps mini-batches on the heap. */
final class HeapRowCache implements RowCache {
    private final List<MiniBatch> batches = new ArrayList<>();

    @Override
    public void add(MiniBatch batch) {
        batches.add(batch);
    }

    @Override
    public int size() {
        return batches.size();
    }

    @Override
    public MiniBatch get(int number) {
        return batches.get(number);
    }

    @Override
    public void close() {
        batches.clear();
    }
}
