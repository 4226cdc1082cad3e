package io.github.flinkps.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.server.store.ReferenceRows.Row;
import io.github.flinkps.server.update.StepContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/** A partition that is trained and frozen at random, and what it should hold. */
final class CutScenario {
    private final TableSpec spec;
    private final int number;
    private final int space;
    private final SplittableRandom random;
    private final StepContext context = new StepContext();
    private final SavedBlocks memory = new SavedBlocks();
    private final KeyHash hash;
    private final ReferenceRows reference;
    private final Map<Long, Long> touched = new HashMap<>();
    private final TreeMap<Long, Cut> cuts = new TreeMap<>();
    private long time;
    private long lastCut;
    private long completed = Partition.NO_CUT;

    /**
     * Cuts frozen after the last completed; beyond four increments may have more than they must.
     */
    private final TreeSet<Long> unfinished = new TreeSet<>();

    private boolean merged;
    private FrozenRows open;
    private Cut current;
    final Partition partition;
    int fulls;
    int increments;

    private static final class Cut {
        final FrozenRows image;
        final Map<Long, Row> expected;
        final long time;
        final Map<Long, Row> handedOut = new LinkedHashMap<>();

        Cut(FrozenRows image, Map<Long, Row> expected, long time) {
            this.image = image;
            this.expected = expected;
            this.time = time;
        }
    }

    CutScenario(TableSpec spec, int number, int space, SplittableRandom random) {
        this.spec = spec;
        this.number = number;
        this.space = space;
        this.random = random;
        this.hash = KeyHash.of(spec.isSparse() ? spec.keyBits() : 64);
        this.reference = new ReferenceRows(spec);
        this.partition = SparsePartitionTest.partition(spec, number);
    }

    void train(int batch) {
        time++;
        int kind = random.nextInt(10);
        if (kind == 0) {
            load(keys(batch / 8 + 1));
        } else if (kind == 1) {
            create(keys(batch / 4 + 1));
        } else if (kind < 5 && !spec.isSparse()) {
            pushRange();
        } else {
            push(keys(batch));
        }
        long steps = random.nextInt(3);
        partition.advance(steps);
        reference.step += steps;
        assertThat(partition.rows())
                .isEqualTo(spec.isSparse() ? reference.rows.size() : partition.rows());
    }

    /** Returns ascending hashes, or keys if the table is dense. */
    private long[] keys(int count) {
        if (spec.isSparse()) {
            return SparsePartitionTest.hashes(spec, number, random, count, space);
        }
        long first = ((DensePartition) partition).firstKey();
        return random.longs(count, first, first + partition.rows()).sorted().distinct().toArray();
    }

    private long key(long keyOrHash) {
        return spec.isSparse() ? hash.key(keyOrHash) : keyOrHash;
    }

    private int[] create(long[] list) {
        int[] rows = new int[list.length];
        partition.resolve(list, 0, list.length, rows);
        partition.create(list, 0, list.length, rows);
        for (long one : list) {
            if (spec.isSparse() && !reference.rows.containsKey(key(one))) {
                reference.create(key(one));
                touched.put(key(one), time);
            }
        }
        return rows;
    }

    private void push(long[] list) {
        int[] rows = create(list);
        float[] gradients = gradients(list.length);
        context.set(1 + random.nextInt(3), partition.step() + 1);
        partition.apply(rows, 0, rows.length, gradients, 0, context);
        for (int i = 0; i < list.length; i++) {
            reference.push(key(list[i]), gradients, i * spec.width(), context);
            touched.put(key(list[i]), time);
        }
        countStep();
    }

    private void pushRange() {
        DensePartition dense = (DensePartition) partition;
        int from = random.nextInt((int) dense.rows());
        int to = Math.min((int) dense.rows(), from + 1 + random.nextInt((int) dense.rows()));
        float[] gradients = gradients(to - from);
        context.set(1 + random.nextInt(3), partition.step() + 1);
        dense.applyRange(from, to, gradients, 0, context);
        for (int row = from; row < to; row++) {
            long key = dense.firstKey() + row;
            reference.push(key, gradients, (row - from) * spec.width(), context);
            touched.put(key, time);
        }
        countStep();
    }

    private void countStep() {
        partition.advance(1);
        reference.step++;
    }

    private float[] gradients(int rows) {
        float[] gradients = new float[rows * spec.width()];
        for (int i = 0; i < gradients.length; i++) {
            gradients[i] = (float) random.nextDouble(-2, 2);
        }
        return gradients;
    }

    private void load(long[] list) {
        float[] values = gradients(list.length);
        long[] shuffled = Arrays.stream(list).map(this::key).toArray();
        partition.load(shuffled, values, null, shuffled.length);
        for (long one : list) {
            reference.create(key(one));
        }
        for (int i = 0; i < shuffled.length; i++) {
            int at = i * spec.width();
            reference.load(shuffled[i], Arrays.copyOfRange(values, at, at + spec.width()));
            touched.put(shuffled[i], time);
        }
    }

    boolean isOpen() {
        return open != null;
    }

    void freeze(boolean full) {
        lastCut += 1 + random.nextInt(3);
        open = partition.freeze(lastCut, full, memory);
        current = new Cut(open, reference.snapshot(), time);
        assertThat(open.step()).isEqualTo(reference.step);
        assertThat(open.full()).isEqualTo(full || completed == Partition.NO_CUT);
        assertThat(open.base()).isEqualTo(open.full() ? Partition.NO_CUT : completed);
        unfinished.add(lastCut);
        merged |= unfinished.size() > 4;
    }

    void copySome() {
        RowImage image = partition.image(1 + random.nextInt(random.nextBoolean() ? 40 : 4000));
        int count = open.next(image);
        for (int i = 0; i < count; i++) {
            assertThat(current.handedOut.put(image.keys()[i], rowOf(image, i))).isNull();
        }
        if (count == 0) {
            assertThat(open.next(image)).isZero();
            assertThat(open.savedBytes()).isZero();
            check(current);
            open.close();
            assertThat(memory.taken()).isZero();
            cuts.put(lastCut, current);
            open = null;
        }
    }

    private Row rowOf(RowImage image, int at) {
        int width = spec.width();
        float[][] slots = new float[image.slots().length][];
        for (int k = 0; k < slots.length; k++) {
            slots[k] = Arrays.copyOfRange(image.slots()[k], at * width, (at + 1) * width);
        }
        float[] value = Arrays.copyOfRange(image.values(), at * width, (at + 1) * width);
        return new Row(value, slots, image.stepsOrNull() == null ? 0 : image.stepsOrNull()[at]);
    }

    void abort() {
        open.close();
        open.close();
        assertThat(memory.taken()).isZero();
        assertThat(open.savedBytes()).isZero();
        open = null;
    }

    /** Completes one of the cuts that were copied, in any order. */
    void complete() {
        List<Long> known = new ArrayList<>(cuts.keySet());
        if (known.isEmpty()) {
            return;
        }
        long cut = known.get(random.nextInt(known.size()));
        partition.completed(cut);
        completed = Math.max(completed, cut);
        unfinished.headSet(completed, true).clear();
        merged &= !unfinished.isEmpty();
    }

    private void check(Cut cut) {
        FrozenRows image = cut.image;
        assertThat(image.rows()).isEqualTo(cut.handedOut.size());
        if (image.full()) {
            fulls++;
            checkHolds(cut.handedOut, cut.expected);
        } else {
            increments++;
            long since = cuts.get(image.base()).time;
            for (long key : cut.handedOut.keySet()) {
                assertThat(merged || touched.get(key) > since).as("key %d", key).isTrue();
            }
        }
        checkRestored(cut);
    }

    /** Dense images have rows that were never trained too, of pages that others are in. */
    private void checkHolds(Map<Long, Row> handedOut, Map<Long, Row> expected) {
        if (spec.isSparse()) {
            assertThat(handedOut.keySet()).containsExactlyElementsOf(expected.keySet());
        }
        assertThat(handedOut.keySet()).containsAll(expected.keySet());
        handedOut.forEach(
                (key, row) -> {
                    Row wanted = expected.get(key);
                    assertThat(row).isEqualTo(wanted == null ? reference.initial(key, 0) : wanted);
                });
    }

    private void checkRestored(Cut cut) {
        Partition fresh = SparsePartitionTest.partition(spec, number);
        List<Cut> chain = new ArrayList<>(List.of(cut));
        while (!chain.get(0).image.full()) {
            chain.add(0, cuts.get(chain.get(0).image.base()));
        }
        for (Cut part : chain) {
            restore(fresh, part.handedOut);
        }
        fresh.advance(cut.image.step());
        RowImage all = fresh.image(1 << 16);
        try (FrozenRows frozen = fresh.freeze(0, true, new SavedBlocks())) {
            Map<Long, Row> restored = new LinkedHashMap<>();
            for (int count = frozen.next(all); count > 0; count = frozen.next(all)) {
                for (int i = 0; i < count; i++) {
                    restored.put(all.keys()[i], rowOf(all, i));
                }
            }
            checkHolds(restored, cut.expected);
        }
    }

    private void restore(Partition fresh, Map<Long, Row> rows) {
        RowImage image = fresh.image(1 + random.nextInt(1000));
        int width = spec.width();
        int count = 0;
        for (Map.Entry<Long, Row> entry : rows.entrySet()) {
            if (count == image.maxRows()) {
                fresh.restore(image, count);
                count = 0;
            }
            image.keys()[count] = entry.getKey();
            System.arraycopy(entry.getValue().value(), 0, image.values(), count * width, width);
            for (int k = 0; k < image.slots().length; k++) {
                float[] slot = entry.getValue().slots()[k];
                System.arraycopy(slot, 0, image.slots()[k], count * width, width);
            }
            if (image.stepsOrNull() != null) {
                image.stepsOrNull()[count] = entry.getValue().lastStep();
            }
            count++;
        }
        fresh.restore(image, count);
    }
}
