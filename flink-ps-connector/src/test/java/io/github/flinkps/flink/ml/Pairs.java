package io.github.flinkps.flink.ml;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.apache.flink.ml.linalg.Vector;
import org.apache.flink.ml.linalg.Vectors;
import org.apache.flink.ml.linalg.typeinfo.VectorTypeInfo;
import org.apache.flink.types.Row;

/** Every algorithm's stages, with rows that it learns. */
final class Pairs {
    private static final int ROWS = 200;

    private Pairs() {}

    /**
     * An estimator and its model.
     *
     * @param online the same for tables without end
     * @param type of the rows, whose last column is the label where there are labels
     * @param error of a row with its prediction
     * @param bound of the mean error after training
     * @param raw whether there is a raw prediction
     * @param labels whether labels are learned
     */
    record Pair(
            Supplier<? extends PsEstimator<?, ?>> estimator,
            Supplier<? extends PsEstimator<?, ?>> online,
            TypeInformation<Row> type,
            List<Row> rows,
            Function<Row, Double> error,
            double bound,
            boolean raw,
            boolean labels) {
        /** Returns whether features are vectors rather than arrays, which stages take too. */
        boolean vectors() {
            return ((RowTypeInfo) type).getTypeAt(0).equals(VectorTypeInfo.INSTANCE);
        }

        /** The same with every vector as an array. */
        Pair withArrays() {
            List<Row> arrays = new ArrayList<>();
            for (Row row : rows) {
                arrays.add(Row.of(((Vector) row.getField(0)).toArray(), row.getField(1)));
            }
            TypeInformation<Row> ofArrays =
                    Types.ROW_NAMED(
                            ((RowTypeInfo) type).getFieldNames(),
                            Types.PRIMITIVE_ARRAY(Types.DOUBLE),
                            Types.DOUBLE);
            return new Pair(estimator, online, ofArrays, arrays, error, bound, raw, labels);
        }

        @Override
        public String toString() {
            return estimator.get().getClass().getSimpleName();
        }
    }

    static List<Pair> all() {
        List<Pair> all = new ArrayList<>(linear());
        all.addAll(networks());
        all.addAll(factorizations());
        return all;
    }

    private static Pair ofVectors(
            Supplier<? extends PsEstimator<?, ?>> estimator,
            Supplier<? extends PsEstimator<?, ?>> online,
            Truth truth,
            boolean classes,
            double bound) {
        return new Pair(
                estimator,
                online,
                Types.ROW_NAMED(
                        new String[] {"features", "label"}, VectorTypeInfo.INSTANCE, Types.DOUBLE),
                points(truth),
                classes ? Pairs::wrong : Pairs::square,
                bound,
                classes,
                true);
    }

    private static List<Pair> linear() {
        return List.of(
                ofVectors(
                        () -> new LogisticRegression().setMaxIter(10),
                        OnlineLogisticRegression::new,
                        x -> x[0] + x[1] > 0 ? 1 : 0,
                        true,
                        0.1),
                ofVectors(
                        () -> new LinearSvm().setMaxIter(10),
                        OnlineLinearSvm::new,
                        x -> x[0] + x[1] > 0 ? 1 : 0,
                        true,
                        0.1),
                ofVectors(
                        () -> new LinearRegression().setMaxIter(20).setLearningRate(0.3),
                        () -> new OnlineLinearRegression().setLearningRate(0.3),
                        x -> 2 * x[0] - x[1] + 0.5,
                        false,
                        0.1),
                ofVectors(
                        () -> new PoissonRegression().setMaxIter(20),
                        OnlinePoissonRegression::new,
                        x -> Math.rint(Math.exp(x[0] + 1)),
                        false,
                        0.5),
                ofVectors(
                        () -> new Softmax().setClasses(3).setMaxIter(20),
                        () -> new OnlineSoftmax().setClasses(3),
                        x -> x[0] > 0.3 ? 2 : x[1] > 0 ? 1 : 0,
                        true,
                        0.2));
    }

    private static List<Pair> networks() {
        return List.of(
                ofVectors(
                        () -> new FactorizationMachine().setFactors(4).setMaxIter(30),
                        () -> new OnlineFactorizationMachine().setFactors(4),
                        x -> x[0] * x[1] > 0 ? 1 : 0,
                        true,
                        0.2),
                ofVectors(
                        () ->
                                new MultiLayerPerceptron()
                                        .setNumFeatures(2L)
                                        .setHidden("16")
                                        .setMaxIter(30),
                        () -> new OnlineMultiLayerPerceptron().setNumFeatures(2L).setHidden("16"),
                        x -> x[0] * x[1] > 0 ? 1 : 0,
                        true,
                        0.2),
                fields(
                        () -> new FieldAwareFactorizationMachine().setFeaturesCols("a", "b"),
                        () -> new OnlineFieldAwareFactorizationMachine().setFeaturesCols("a", "b")),
                fields(
                        () -> new WideAndDeep().setFeaturesCols("a", "b"),
                        () -> new OnlineWideAndDeep().setFeaturesCols("a", "b")),
                fields(
                        () -> new DeepFm().setFeaturesCols("a", "b"),
                        () -> new OnlineDeepFm().setFeaturesCols("a", "b")));
    }

    private static List<Pair> factorizations() {
        return List.of(
                new Pair(
                        () -> new MatrixFactorization().setMaxIter(30),
                        OnlineMatrixFactorization::new,
                        Types.ROW_NAMED(
                                new String[] {"user", "item", "label"},
                                Types.STRING,
                                Types.LONG,
                                Types.DOUBLE),
                        ratings(true),
                        Pairs::square,
                        0.3,
                        false,
                        true),
                new Pair(
                        ImplicitMatrixFactorization::new,
                        OnlineImplicitMatrixFactorization::new,
                        Types.ROW_NAMED(new String[] {"user", "item"}, Types.STRING, Types.LONG),
                        ratings(false),
                        row -> (Double) row.getField("prediction") > 0 ? 0.0 : 1.0,
                        0.3,
                        false,
                        false),
                new Pair(
                        SkipGram::new,
                        OnlineSkipGram::new,
                        Types.ROW_NAMED(
                                new String[] {"features"}, Types.OBJECT_ARRAY(Types.STRING)),
                        sentences(),
                        row -> (Double) row.getField("prediction") > 0 ? 0.0 : 1.0,
                        0.1,
                        false,
                        false));
    }

    private static Pair fields(
            Supplier<? extends PsEstimator<?, ?>> estimator,
            Supplier<? extends PsEstimator<?, ?>> online) {
        List<Row> rows = new ArrayList<>();
        Random random = new Random(7);
        for (int i = 0; i < ROWS; i++) {
            int a = random.nextInt(3);
            int b = random.nextInt(3);
            rows.add(Row.of("a" + a, "b" + b, (a + b) % 2 == 0 ? 1.0 : 0.0));
        }
        return new Pair(
                estimator,
                online,
                Types.ROW_NAMED(
                        new String[] {"a", "b", "label"}, Types.STRING, Types.STRING, Types.DOUBLE),
                rows,
                Pairs::wrong,
                0.2,
                true,
                true);
    }

    /** Says the label of a point. */
    interface Truth {
        double of(double[] point);
    }

    /** Points of the plane, every second one as a sparse vector. */
    static List<Row> points(Truth truth) {
        List<Row> rows = new ArrayList<>();
        Random random = new Random(42);
        for (int i = 0; i < ROWS; i++) {
            double[] x = {random.nextDouble() * 2 - 1, random.nextDouble() * 2 - 1};
            rows.add(
                    Row.of(
                            i % 2 == 0 ? Vectors.dense(x) : Vectors.sparse(2, new int[] {0, 1}, x),
                            truth.of(x)));
        }
        return rows;
    }

    private static List<Row> ratings(boolean labels) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            int user = i % 10;
            long item = i * 7L % 13;
            if (!labels && (user + item) % 2 != 0) { // what never met
                continue;
            }
            double rating = 3 + (user % 2 == 0 ? 1 : -1) * (item % 2 == 0 ? 1 : -1);
            rows.add(labels ? Row.of("u" + user, item, rating) : Row.of("u" + user, item));
        }
        return rows;
    }

    private static List<Row> sentences() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            String[] words = i % 2 == 0 ? new String[] {"a", "b", "c"} : new String[] {"x", "y"};
            rows.add(Row.of((Object) words));
        }
        return rows;
    }

    private static double wrong(Row row) {
        return row.getField("label").equals(row.getField("prediction")) ? 0 : 1;
    }

    private static double square(Row row) {
        double error = (Double) row.getField("label") - (Double) row.getField("prediction");
        return error * error;
    }
}
