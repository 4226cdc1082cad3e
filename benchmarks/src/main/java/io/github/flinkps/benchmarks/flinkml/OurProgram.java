package io.github.flinkps.benchmarks.flinkml;

import io.github.flinkps.flink.ml.LogisticRegression;
import io.github.flinkps.flink.ml.OnlineLogisticRegression;

/** Our estimators; its arguments are those of {@link ComparedProgram}. */
public final class OurProgram {
    private OurProgram() {}

    public static void main(String[] arguments) throws Exception {
        ComparedProgram program = new ComparedProgram(arguments);
        String models = program.folder().resolve("models").toUri().toString();
        if (arguments[0].equals("a9a")) {
            program.run(
                    new LogisticRegression()
                            .setMaxIter(10) // passes
                            .setOptimizer("ftrl")
                            .setGlobalBatchSize(program.batch())
                            .setModelRoot(models));
        } else {
            program.run(
                    new OnlineLogisticRegression()
                            .setOptimizer("ftrl")
                            .setGlobalBatchSize(program.batch())
                            .setModelRoot(models));
        }
    }
}
