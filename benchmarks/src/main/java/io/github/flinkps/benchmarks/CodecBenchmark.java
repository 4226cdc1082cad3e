package io.github.flinkps.benchmarks;

import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.codec.BatchView;
import io.github.flinkps.codec.ColumnCopy;
import java.nio.ByteBuffer;
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

/** Batches of keys and values: their metadata alone, then with the copy of the columns. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CodecBenchmark {
    @Param({"100", "20000", "100000"})
    public int rows;

    @Param({"1", "16", "64"})
    public int width;

    private BatchLayout layout;
    private ByteBuffer frame;
    private int size;
    private long[] keys;
    private float[] values;

    /** Writes the batch that is read. */
    @Setup
    public void fill() {
        layout = BatchLayout.keysAndValues(width);
        size = layout.encodedSize(rows);
        frame = ByteBuffer.allocateDirect(size);
        keys = new long[rows];
        values = new float[rows * width];
        encode();
    }

    @Benchmark
    public ByteBuffer writeMetadata() {
        layout.writeMetadata(frame, 0, rows);
        return frame;
    }

    @Benchmark
    public BatchView read() {
        return layout.read(frame, 0, size);
    }

    /** Writes the metadata and the columns. */
    @Benchmark
    public ByteBuffer encode() {
        layout.writeMetadata(frame, 0, rows);
        ColumnCopy.putLongs(frame, layout.columnOffset(0, rows), keys, 0, rows);
        ColumnCopy.putFloats(frame, layout.columnOffset(1, rows), values, 0, values.length);
        return frame;
    }

    /** Checks the metadata and reads the columns. */
    @Benchmark
    public float[] decode() {
        BatchView view = layout.read(frame, 0, size);
        ColumnCopy.getLongs(frame, view.keyOffset(), keys, 0, rows);
        ColumnCopy.getFloats(frame, view.valueOffset(), values, 0, values.length);
        return values;
    }
}
