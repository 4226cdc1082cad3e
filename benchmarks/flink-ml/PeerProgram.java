package io.github.flinkps.benchmarks.flinkml;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.ml.classification.logisticregression.LogisticRegression;
import org.apache.flink.ml.classification.logisticregression.OnlineLogisticRegression;
import org.apache.flink.ml.linalg.Vectors;
import org.apache.flink.ml.linalg.typeinfo.DenseVectorTypeInfo;
import org.apache.flink.types.Row;

/**
 * The estimators of Flink ML, compiled by the script beside it; its arguments are those of {@link
 * ComparedProgram}.
 */
public final class PeerProgram {
    private static final TypeInformation<Row> MODEL_DATA =
            Types.ROW_NAMED(
                    new String[] {"coefficient", "modelVersion"},
                    DenseVectorTypeInfo.INSTANCE,
                    Types.LONG);

    private PeerProgram() {}

    public static void main(String[] arguments) throws Exception {
        ComparedProgram program = new ComparedProgram(arguments);
        if (arguments[0].equals("a9a")) {
            program.run(
                    new LogisticRegression()
                            .setMaxIter(400) // mini-batches
                            .setTol(1e-9)
                            .setLearningRate(1.0)
                            .setGlobalBatchSize(program.batch()));
        } else {
            int features = program.features();
            program.run(
                    new OnlineLogisticRegression()
                            .setInitialModelData(
                                    program.row(
                                            any -> Row.of(Vectors.dense(new double[features]), 0L),
                                            MODEL_DATA))
                            .setGlobalBatchSize(program.batch()));
        }
    }
}
