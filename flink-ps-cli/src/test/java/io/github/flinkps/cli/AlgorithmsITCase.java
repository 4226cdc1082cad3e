package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.flinkps.flink.algorithm.TrainingModels;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every algorithm learns by the command line what it is for, under every schedule in turn. */
@ExtendWith(SharedFlink.class)
class AlgorithmsITCase {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VALUES = 10;

    @TempDir private Path folder;

    /** Returns a row with a label that depends on its three features, as the kind says. */
    private static String row(String kind, Random random) {
        int first = random.nextInt(VALUES);
        int second = random.nextInt(VALUES);
        int third = random.nextInt(VALUES);
        boolean low = first < VALUES / 2;
        boolean alike = low == second < VALUES / 2;
        String both = " " + first + ":1 " + (VALUES + second) + ":1";
        String all = both + " " + (2 * VALUES + third) + ":1";
        return switch (kind) {
            case "side" -> (low ? 1 : 0) + all;
            case "pair" -> (alike ? 1 : 0) + all;
            case "third" -> first % 3 + all;
            case "number" -> first + 0.1 * second + all;
            case "count" -> (low ? 6 + random.nextInt(3) : random.nextInt(2)) + all;
            case "rating" -> (alike ? 5 : 2) + both;
            case "taken" ->
                    "1 " + first + ":1 " + (VALUES + (low ? second / 2 : 5 + second / 2)) + ":1";
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private String write(String name, String kind, int rows, long seed) throws IOException {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            lines.add(row(kind, random));
        }
        return Files.write(folder.resolve(name), lines).toString();
    }

    private JsonNode report(String name) throws IOException {
        return JSON.readTree(folder.resolve(name).toFile());
    }

    /** The first measure is at least, or at most, what only a model that has learned reaches. */
    @ParameterizedTest
    @CsvSource({
        "logistic-regression, side, --warmup-steps 0, auc logloss accuracy, > .95",
        "linear-svm, side, --inverse-sqrt-steps 50, auc accuracy, > .95",
        "linear-regression, number, --learning-rate 1 --cosine-steps 300, rmse" + " mae, < .5",
        "poisson-regression, count, --step-every 200, rmse deviance, < 1.5",
        "softmax, third, --classes 3 --warmup-steps 10, accuracy logloss, > .95",
        "factorization-machine, pair, --init-std .1, auc logloss accuracy, > .9",
        "field-aware-factorization-machine, pair, --fields 3 --init-std .1,"
                + " auc logloss accuracy, > .9",
        "matrix-factorization, rating, --mean 3.5 --init-std .1, rmse mae, < 1",
        "implicit-matrix-factorization, taken, --items 10 --first-item 10 --init-std .1,"
                + " auc hit@10 precision@10 ndcg@10, > .6",
        "skip-gram, taken, --factors 8, pair-accuracy pair-loss, > .5",
        "multi-layer-perceptron, pair, --hidden 16 --features 30 --learning-rate .05,"
                + " auc logloss accuracy, > .9",
        "wide-and-deep, pair, --fields 3 --hidden 16 --learning-rate .05,"
                + " auc logloss accuracy, > .9",
        "deep-fm, pair, --fields 3 --hidden 16 --learning-rate .05, auc logloss accuracy, > .9"
    })
    void isTrainedAndEvaluated(
            String algorithm, String kind, String options, String measures, String bound)
            throws IOException {
        String train = write("train", kind, 2000, 1);
        String test = write("test", kind, 500, 2);
        String model = folder.resolve("model").toString();
        Stream<String> fixed =
                Stream.of("train", "--quiet", "--algorithm", algorithm, "--input", train);
        Stream<String> more =
                Stream.of(
                        "--test",
                        test,
                        "--model",
                        model,
                        "--epochs",
                        "10",
                        "--batch-size",
                        "50",
                        "--report",
                        folder.resolve("train.json").toString());
        TestingCommand.succeeds(
                Stream.of(fixed, Stream.of(options.split(" ")), more)
                        .flatMap(each -> each)
                        .toArray(String[]::new));
        TestingCommand.succeeds(
                "evaluate",
                "--model",
                model,
                "--test",
                test,
                "--report",
                folder.resolve("evaluate.json").toString());
        JsonNode trained = report("train.json").get("test");
        JsonNode evaluated = report("evaluate.json").get("test");
        for (String measure : measures.split(" ")) {
            assertThat(trained.get(measure).asDouble()).as(measure).isFinite().isNotNegative();
            assertThat(evaluated.get(measure)).as(measure).isEqualTo(trained.get(measure));
        }
        double first = trained.get(measures.split(" ")[0]).asDouble();
        double limit = Double.parseDouble(bound.substring(2));
        if (bound.startsWith(">")) {
            assertThat(first).isGreaterThan(limit);
        } else {
            assertThat(first).isLessThan(limit);
        }
    }

    @Test
    void noAlgorithmIsForgotten() throws NoSuchMethodException {
        Method test =
                AlgorithmsITCase.class.getDeclaredMethod(
                        "isTrainedAndEvaluated",
                        String.class,
                        String.class,
                        String.class,
                        String.class,
                        String.class);
        assertThat(
                        Arrays.stream(test.getAnnotation(CsvSource.class).value())
                                .map(line -> line.split(",")[0]))
                .containsExactlyInAnyOrderElementsOf(TrainingModels.names());
    }
}
