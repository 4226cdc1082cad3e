package io.github.flinkps.benchmarks.peers;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The least that Flink can be asked for: a job of two numbers in a cluster in this process. */
public final class EmptyJob {
    private EmptyJob() {}

    public static void main(String[] arguments) throws Exception {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(2);
        environment.fromSequence(1, 2).executeAndCollect().close();
    }
}
