package io.github.flinkps.benchmarks;

import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunctions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The store alone, one thread: nanoseconds per key of mini-batches of 100 K keys in a sparse table
 * of 64 partitions. In the table of 100 K keys every mini-batch is the whole table; in the one of
 * 2^24 keys 16 random ones take turns. The other end of the copy is a buffer that is used again for
 * each partition, as frames are.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms12g", "-Xmx12g", "-XX:+UseSerialGC", "-Xmn512m"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class StoreBenchmark {
    static final int BATCH = 100_000;

    @Param({"100000", "16777216"})
    int tableKeys;

    @Param({"1", "16", "64"})
    int width;

    @Param({"sgd"})
    String update;

    private Partition[] partitions;
    private long[][] batches;
    private int[][] rows;
    private int[][] bounds;
    private int[] found;
    private FloatBuffer values;
    private FloatBuffer gradients;
    private final StepContext step = new StepContext();
    private int turn;

    @Setup
    public void fill() {
        TableSpec spec = TableSpec.sparse("bench", width, UpdateSpec.of(update)).withKeyBits(24);
        KeyHash hash = KeyHash.of(24);
        partitions = new Partition[spec.partitions()];
        for (int p = 0; p < partitions.length; p++) {
            partitions[p] = Partition.create(spec, p, UpdateFunctions.create(spec.update()));
        }
        SplittableRandom random = new SplittableRandom(1);
        boolean small = tableKeys == BATCH;
        batches = new long[small ? 1 : 16][];
        rows = new int[batches.length][BATCH];
        bounds = new int[batches.length][];
        long[] space = random.longs(tableKeys, 0, 1 << 24).map(hash::hash).toArray();
        if (!small) {
            for (int key = 0; key < tableKeys; key++) {
                space[key] = hash.hash(key);
            }
        }
        born(spec, random, space);
        for (int b = 0; b < batches.length; b++) {
            batches[b] = small ? unique(space) : batch(random, space);
            bounds[b] = bounds(spec, batches[b]);
            for (int p = 0; p < partitions.length; p++) {
                partitions[p].resolve(batches[b], bounds[b][p], bounds[b][p + 1], rows[b]);
            }
        }
        found = new int[BATCH];
        values = direct();
        gradients = direct();
        for (int i = 0; i < gradients.capacity(); i++) {
            gradients.put(i, 1e-6f * i);
        }
    }

    /** Makes rows in mini-batches of random keys: rows and hashes are in unrelated orders. */
    private void born(TableSpec spec, SplittableRandom random, long[] space) {
        long[] shuffled = space.clone();
        for (int i = shuffled.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            long swapped = shuffled[i];
            shuffled[i] = shuffled[j];
            shuffled[j] = swapped;
        }
        int chunk = 10_000;
        int[] into = new int[chunk];
        for (int from = 0; from < shuffled.length; from += chunk) {
            long[] some =
                    unique(
                            Arrays.copyOfRange(
                                    shuffled, from, Math.min(shuffled.length, from + chunk)));
            int[] cuts = bounds(spec, some);
            for (int p = 0; p < partitions.length; p++) {
                partitions[p].resolve(some, cuts[p], cuts[p + 1], into);
                partitions[p].create(some, cuts[p], cuts[p + 1], into);
            }
        }
    }

    private static long[] batch(SplittableRandom random, long[] space) {
        return unique(random.ints(BATCH, 0, space.length).mapToLong(i -> space[i]).toArray());
    }

    private static long[] unique(long[] hashes) {
        return Arrays.stream(hashes)
                .map(h -> h ^ Long.MIN_VALUE)
                .sorted()
                .distinct()
                .map(h -> h ^ Long.MIN_VALUE)
                .toArray();
    }

    private int[] bounds(TableSpec spec, long[] sorted) {
        int[] cuts = new int[partitions.length + 1];
        for (long hash : sorted) {
            cuts[spec.partitionOfHash(hash) + 1]++;
        }
        for (int p = 0; p < partitions.length; p++) {
            cuts[p + 1] += cuts[p];
        }
        return cuts;
    }

    private FloatBuffer direct() {
        return ByteBuffer.allocateDirect(4 * BATCH * width)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    private int next() {
        turn = turn + 1 == batches.length ? 0 : turn + 1;
        return turn;
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int resolve() {
        int b = next();
        for (int p = 0; p < partitions.length; p++) {
            partitions[p].resolve(batches[b], bounds[b][p], bounds[b][p + 1], found);
        }
        return found[0];
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int gather() {
        int b = next();
        for (int p = 0; p < partitions.length; p++) {
            values.clear();
            partitions[p].gather(batches[b], rows[b], bounds[b][p], bounds[b][p + 1], values);
        }
        return values.position();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int apply() {
        int b = next();
        for (int p = 0; p < partitions.length; p++) {
            gradients.clear();
            partitions[p].apply(rows[b], bounds[b][p], bounds[b][p + 1], gradients, step);
        }
        return gradients.position();
    }
}
