package io.github.flinkps.benchmarks;

import io.github.flinkps.codec.DeltaKeys;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Sorted keys of a mini-batch as differences. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DeltaKeysBenchmark {
    @Param({"312", "20000", "100000"})
    public int count;

    @Param({"17", "20", "24", "64"})
    public int keyBits;

    private int shift;
    private long[] keys;
    private long[] decoded;
    private ByteBuffer frame;
    private int size;

    /** Draws the keys and encodes them. */
    @Setup
    public void draw() {
        shift = 64 - keyBits;
        keys =
                new Random(1)
                        .longs(4L * count)
                        .map(key -> key >>> shift)
                        .distinct()
                        .limit(count)
                        .toArray();
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (keys[i] << shift) + Long.MIN_VALUE;
        }
        // Sorted as signed numbers, then the sign back: sorted as unsigned ones.
        Arrays.sort(keys);
        for (int i = 0; i < keys.length; i++) {
            keys[i] += Long.MIN_VALUE;
        }
        decoded = new long[keys.length];
        frame = ByteBuffer.allocateDirect((int) DeltaKeys.maxSize(keys.length));
        size = encode();
    }

    @Benchmark
    public final int encode() {
        return DeltaKeys.encode(keys, 0, keys.length, shift, frame, 0);
    }

    @Benchmark
    public long[] decode() {
        DeltaKeys.decode(frame, 0, size, keys.length, shift, decoded);
        return decoded;
    }
}
