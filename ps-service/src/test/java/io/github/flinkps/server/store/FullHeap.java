package io.github.flinkps.server.store;

import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A process that lets rows be born while its heap has room for some of what they take, and checks
 * that births that failed are as if they had not been tried.
 */
final class FullHeap {
    private static final int PARTITIONS = 6;
    private static final int TRIES = 50;
    private static final int MOST = 1 << 14;
    private static final int PIECE = 1 << 13;

    private static final TableSpec SPEC =
            TableSpec.sparse("t", 1, UpdateSpec.sgd(.1).with("l2", .1))
                    .withInitializer(InitializerSpec.uniform(-1, 1), 7)
                    .withPartitions(1);

    private final SplittableRandom random;
    private final FloatBuffer values = SparsePartitionTest.direct(MOST);
    private final FloatBuffer initial = SparsePartitionTest.direct(MOST);
    private Partition partition;

    /** The hashes of born rows, by row. */
    private final long[] born = new long[TRIES * MOST];

    private int bornRows;
    private int failures;

    private FullHeap(SplittableRandom random) {
        this.random = random;
    }

    public static void main(String[] args) {
        new FullHeap(new SplittableRandom(Long.parseLong(args[0]))).run();
    }

    private void run() {
        for (int p = 0; p < PARTITIONS; p++) {
            partition = SparsePartitionTest.partition(SPEC, 0);
            bornRows = 0;
            int atCut = 0;
            for (int i = 0; i < TRIES; i++) {
                if (i == 2) {
                    atCut = bornRows;
                    partition.freeze(1, true, new SavedBlocks()).close();
                    partition.completed(1);
                }
                tryBirths(p > 0 && i > 2);
            }
            checkImage(0, partition.freeze(2, true, new SavedBlocks()));
            checkImage(atCut, partition.freeze(3, false, new SavedBlocks()));
        }
        System.out.printf(
                "FullHeap: %d of %d times rows could not be born%n", failures, PARTITIONS * TRIES);
        check(failures >= PARTITIONS, "some births fail");
    }

    private void tryBirths(boolean full) {
        long[] hashes = hashes(1 + random.nextInt(1 << 1 + random.nextInt(14)));
        int[] rows = new int[hashes.length];
        partition.resolve(hashes, 0, hashes.length, rows);
        int[] before = rows.clone();
        int[] again = new int[hashes.length];
        OutOfMemoryError failure =
                full
                        ? births(hashes, rows, random.nextInt(1 << 1 + random.nextInt(6)))
                        : births(hashes, rows);
        if (failure != null) {
            failures++;
            partition.resolve(hashes, 0, hashes.length, again);
            check(Arrays.equals(again, before), "no row is found that failed");
            check(Arrays.equals(rows, before), "no row is given out that failed");
            check(partition.rows() == bornRows, "no row is counted that failed");
            if (random.nextBoolean()) {
                return; // others are tried next
            }
            check(births(hashes, rows) == null, "there is memory again");
        }
        for (int i = 0; i < hashes.length; i++) {
            if (before[i] < 0) {
                check(rows[i] == bornRows, "rows are born in order");
                born[bornRows++] = hashes[i];
            }
        }
        check(partition.rows() == bornRows, "all are counted");
        partition.resolve(hashes, 0, hashes.length, again);
        check(Arrays.equals(again, rows), "all are found");
        checkValues(hashes, rows);
    }

    /** Some known, some not, ascending. */
    private long[] hashes(int count) {
        int known = random.nextInt(count + 1);
        return random.longs(count)
                .map(hash -> bornRows > 0 && random.nextInt(count) < known ? anyBorn() : hash)
                .map(hash -> hash ^ Long.MIN_VALUE)
                .sorted()
                .distinct()
                .map(hash -> hash ^ Long.MIN_VALUE)
                .toArray();
    }

    private long anyBorn() {
        return born[random.nextInt(bornRows)];
    }

    /** Gives birth to rows while the heap is full but for so many pieces. */
    private OutOfMemoryError births(long[] hashes, int[] rows, int spare) {
        byte[][] room = new byte[spare][PIECE];
        Object[] ballast = null;
        try {
            while (true) {
                ballast = new Object[] {ballast, new byte[PIECE]};
            }
        } catch (OutOfMemoryError full) {
            Arrays.fill(room, null);
        }
        OutOfMemoryError failure = births(hashes, rows);
        check(ballast != null, "the heap is full until here");
        return failure;
    }

    private OutOfMemoryError births(long[] hashes, int[] rows) {
        try {
            partition.create(hashes, 0, hashes.length, rows);
            return null;
        } catch (OutOfMemoryError e) {
            return e;
        }
    }

    /** Checks the values of rows that were born and not trained. */
    private void checkValues(long[] hashes, int[] rows) {
        int[] none = new int[rows.length];
        Arrays.fill(none, -1);
        partition.gather(hashes, rows, 0, rows.length, values.clear());
        partition.gather(hashes, none, 0, rows.length, initial.clear());
        check(values.flip().equals(initial.flip()), "rows have their first values");
    }

    /** Checks the image of all rows born, from one on. */
    private void checkImage(int from, FrozenRows image) {
        KeyHash keyHash = KeyHash.of(SPEC.keyBits());
        RowImage rows = partition.image(1 << 10);
        int row = from;
        try (image) {
            check(image.rows() == bornRows - from, "the image has as many rows as were born");
            for (int count = image.next(rows); count > 0; count = image.next(rows)) {
                for (int i = 0; i < count; i++) {
                    check(rows.keys()[i] == keyHash.key(born[row++]), "in order of birth");
                }
            }
        }
        check(row == bornRows, "all of them");
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("expected: " + what);
        }
    }
}
