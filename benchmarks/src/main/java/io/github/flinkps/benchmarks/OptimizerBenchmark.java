package io.github.flinkps.benchmarks;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.store.DensePartition;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunctions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
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

/** Steps over a dense range of 1 M floats in one partition, one thread: nanoseconds per float. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class OptimizerBenchmark {
    static final int FLOATS = 1_000_000;

    /** Some of ours; {@code -p update=NAME} measures another. */
    @Param({"adagrad", "adam", "add", "assign", "ftrl", "momentum", "rmsprop", "sgd"})
    String update;

    @Param({"0", "0.001"})
    double regularisation;

    private DensePartition partition;
    private FloatBuffer gradients;
    private FloatBuffer values;
    private final StepContext step = new StepContext();

    @Setup
    public void fill() {
        UpdateSpec function = UpdateSpec.of(update);
        boolean regularised =
                UpdateFunctions.factory(update).options().stream()
                        .anyMatch(option -> option.name().equals("l1"));
        if (regularisation > 0 && regularised) {
            function = function.with("l1", regularisation).with("l2", regularisation);
        }
        TableSpec spec = TableSpec.dense("bench", FLOATS, 1, function).withPartitions(1);
        partition = (DensePartition) Partition.create(spec, 0, UpdateFunctions.create(function));
        gradients = direct();
        values = direct();
        for (int i = 0; i < FLOATS; i++) {
            gradients.put(i, 1e-6f * (i - FLOATS / 3));
        }
    }

    private static FloatBuffer direct() {
        return ByteBuffer.allocateDirect(4 * FLOATS).order(ByteOrder.nativeOrder()).asFloatBuffer();
    }

    @Benchmark
    @OperationsPerInvocation(FLOATS)
    public int apply() {
        gradients.clear();
        partition.advance(1);
        partition.applyRange(0, FLOATS, gradients, step.set(64, partition.step()));
        return gradients.position();
    }

    @Benchmark
    @OperationsPerInvocation(FLOATS)
    public int read() {
        values.clear();
        partition.readRange(0, FLOATS, values);
        return values.position();
    }
}
