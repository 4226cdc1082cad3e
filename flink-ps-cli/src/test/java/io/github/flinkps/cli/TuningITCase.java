package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.flinkps.cli.generate.GeneratedRows;
import io.github.flinkps.cli.generate.RatingLog;
import io.github.flinkps.cli.job.SavedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of a known model, whose columns are of sizes far apart: defaults found by the rows. */
@ExtendWith(SharedFlink.class)
class TuningITCase {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ROWS = 800;
    private static final String CHOSEN = "chosen by the rows: ";

    @TempDir private Path folder;

    /** Writes rows of the columns as csv or libsvm, where a 0 is absent. */
    private String rows(String format, String name, long seed) throws IOException {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        if (format.equals("csv")) {
            lines.add("big,small,shifted,label");
        }
        for (int i = 0; i < ROWS; i++) {
            double big = random.nextGaussian();
            double small = random.nextInt(4) == 0 ? 0 : random.nextGaussian();
            double shifted = random.nextGaussian();
            double z = 3 * big - 3 * small + 2 * shifted;
            int label = random.nextDouble() < 1 / (1 + Math.exp(-z)) ? 1 : 0;
            double[] values = {1e6 * big, 1e-4 * small, 5000 + shifted};
            StringBuilder line = new StringBuilder();
            if (format.equals("csv")) {
                line.append(values[0]).append(',').append(values[1]).append(',').append(values[2]);
                line.append(',').append(label);
            } else {
                line.append(label);
                for (int column = 0; column < values.length; column++) {
                    if (values[column] != 0) {
                        line.append(' ').append(column + 1).append(':').append(values[column]);
                    }
                }
            }
            lines.add(line.toString());
        }
        return Files.write(folder.resolve(name), lines).toString();
    }

    /** Writes rows of users who take the few popular ones of twenty items, all alike. */
    private String taken(String name, long seed, long step) throws IOException {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            int item = Math.min(random.nextInt(20), random.nextInt(20));
            int user = 1 + random.nextInt(5);
            lines.add(
                    "1 " + user + ":1 " + (100 + step * Math.min(item, random.nextInt(20))) + ":1");
        }
        return Files.write(folder.resolve(name), lines).toString();
    }

    /** Popular items are found to be so, where items are numbered; else it is said why not. */
    @ParameterizedTest
    @CsvSource({"auto, 1, true", "off, 1, false", "auto, 1000003, false"})
    void rankingIsAmongAllItems(String tuning, long step, boolean numbered) throws IOException {
        Path report = folder.resolve("report.json");
        TestingCommand command =
                TestingCommand.succeeds(
                        "train",
                        "--algorithm",
                        "implicit-matrix-factorization",
                        "--tuning",
                        tuning,
                        "--input",
                        taken("train", 1, step),
                        "--test",
                        taken("test", 2, step),
                        "--report",
                        report.toString());
        double auc = JSON.readTree(report.toFile()).get("test").get("auc").asDouble();
        String warning = "the test ranks an item among those of its mini-batch";
        if (numbered) {
            assertThat(command.out()).contains(CHOSEN + "--first-item 100 --items ");
            assertThat(command.err()).doesNotContain(warning);
            assertThat(auc).isGreaterThan(.65);
        } else {
            assertThat(command.out()).doesNotContain(CHOSEN);
            assertThat(command.err()).contains(warning);
            assertThat(auc).isLessThan(.6);
        }
    }

    /** Writes rows whose label is said by the product of two columns, in units of their own. */
    private String products(String name, long seed, boolean numbers) throws IOException {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>(List.of("big,small,other,label"));
        for (int i = 0; i < ROWS; i++) {
            double big = random.nextGaussian();
            double small = random.nextGaussian();
            double label = numbers ? 5000 + 1000 * big * small : big * small > 0 ? 1 : 0;
            lines.add("%s,%s,%s,%s".formatted(1e5 * big, small / 1e3, random.nextInt(9), label));
        }
        return Files.write(folder.resolve(name), lines).toString();
    }

    /** No linear model says more than a constant, of loss .69 or a deviation of 1,000. */
    @ParameterizedTest
    @CsvSource({
        "multi-layer-perceptron, classification, logloss, .35",
        "multi-layer-perceptron, regression, rmse, 500",
        "deep-fm, classification, logloss, .35",
        "factorization-machine, regression, rmse, 500"
    })
    void learnsProductsWhateverTheUnits(String algorithm, String task, String measure, double most)
            throws IOException {
        boolean numbers = task.equals("regression");
        Path report = folder.resolve("report.json");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "train",
                                "--algorithm",
                                algorithm,
                                "--task",
                                task,
                                "--format",
                                "csv",
                                "--numeric",
                                "big,small,other",
                                "--label",
                                "label",
                                "--input",
                                products("train.csv", 1, numbers),
                                "--test",
                                products("test.csv", 2, numbers),
                                "--report",
                                report.toString()));
        if (algorithm.equals("deep-fm")) {
            command.addAll(List.of("--fields", "3"));
        }
        String out = TestingCommand.succeeds(command.toArray(String[]::new)).out();
        assertThat(out).contains(CHOSEN, "--learning-rate ");
        assertThat(out.contains("--label-unit ")).isEqualTo(numbers);
        assertThat(JSON.readTree(report.toFile()).get("test").get(measure).asDouble())
                .isLessThan(most);
    }

    /** Trains on as few rows as are many, of 300 features. */
    @Test
    void manyRowsAreLearnedByFtrlUnlessAdagradIsAskedFor() throws IOException {
        Random random = new Random(7);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 135_000; i++) {
            int feature = random.nextInt(300);
            int label = random.nextInt(10) < (feature % 2 == 0 ? 8 : 3) ? 1 : 0;
            lines.add(label + " " + (1 + feature) + ":1");
        }
        String input = Files.write(folder.resolve("many.svm"), lines).toString();
        List<String> command = command("libsvm", input, "--test-share", "0.01");
        String out = TestingCommand.succeeds(command.toArray(String[]::new)).out();
        assertThat(out)
                .containsPattern(CHOSEN + ".*--l2 [\\d.]+ --learning-rate 1.0 --optimizer ftrl");
        assertThat(loss(out)).isLessThan(.58);
        command.addAll(List.of("--optimizer", "adagrad"));
        out = TestingCommand.succeeds(command.toArray(String[]::new)).out();
        assertThat(out).contains(CHOSEN).doesNotContain("ftrl").contains("--initial-bias");
        assertThat(loss(out)).isLessThan(.58);
    }

    private static double loss(String out) {
        String line =
                out.lines()
                        .filter(each -> each.startsWith("test logloss"))
                        .findFirst()
                        .orElseThrow();
        return Double.parseDouble(line.split(" +")[2]);
    }

    private static List<String> command(String format, String input, String... more) {
        List<String> command = new ArrayList<>(List.of("train", "--input", input));
        if (format.equals("csv")) {
            command.addAll(
                    List.of(
                            "--format",
                            "csv",
                            "--label",
                            "label",
                            "--numeric",
                            "big,small,shifted"));
        }
        command.addAll(List.of(more));
        return command;
    }

    private static String succeeds(List<String> command) {
        return TestingCommand.succeeds(command.toArray(String[]::new)).out();
    }

    private double logloss(Path report) throws IOException {
        return JSON.readTree(report.toFile()).findValue("logloss").asDouble();
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "libsvm"})
    void learnsWhateverTheScaleOfColumns(String format) throws IOException {
        String train = rows(format, "train", 1);
        String test = rows(format, "test", 2);
        Path report = folder.resolve("report.json");
        String model = folder.resolve("model").toString();
        String out =
                succeeds(
                        command(
                                format,
                                train,
                                "--test",
                                test,
                                "--report",
                                report.toString(),
                                "--model",
                                model));
        // The labels are drawn: who knows the model has a logloss of .30 or so.
        assertThat(logloss(report)).isLessThan(.36);
        assertThat(out)
                .contains(CHOSEN + "--epochs 150 --batch-size 20 --cosine-steps")
                .contains("--l2 ", "--learning-rate ", "--initial-bias ");
        // The model has its scales with it.
        Path again = folder.resolve("again.json");
        TestingCommand.succeeds(
                "evaluate", "--model", model, "--test", test, "--report", again.toString());
        assertThat(logloss(again)).isCloseTo(logloss(report), within(1e-6));
    }

    /** Writes rows of which two in a hundred are positive; returns the loss of who knows why. */
    private double rare(Path file, long seed) throws IOException {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>(List.of("x1,x2,label"));
        double loss = 0;
        int rows = 10 * ROWS;
        for (int i = 0; i < rows; i++) {
            double x1 = random.nextGaussian();
            double x2 = random.nextGaussian();
            double probability = 1 / (1 + Math.exp(4.3 - .8 * x1 + .6 * x2));
            int label = random.nextDouble() < probability ? 1 : 0;
            loss -= Math.log(label == 1 ? probability : 1 - probability) / rows;
            lines.add(x1 + "," + x2 + "," + label);
        }
        Files.write(file, lines);
        return loss;
    }

    @Test
    void learnsABaseRateFarFromOneHalf() throws IOException {
        Path train = folder.resolve("train");
        Path test = folder.resolve("test");
        Path report = folder.resolve("report.json");
        rare(train, 1);
        double best = rare(test, 2);
        TestingCommand.succeeds(
                "train",
                "--format",
                "csv",
                "--label",
                "label",
                "--numeric",
                "x1,x2",
                "--input",
                train.toString(),
                "--test",
                test.toString(),
                "--report",
                report.toString());
        JsonNode measured = JSON.readTree(report.toFile()).get("test");
        assertThat(measured.get("logloss").asDouble()).isBetween(.97 * best, 1.03 * best);
        assertThat(measured.get("auc").asDouble()).isGreaterThan(.75);
    }

    /** Seventeen ratings of a user, whose noise alone is .5; a constant reaches .90. */
    @Test
    void learnsRatingsWithOneWorkerAsWithTwo() throws IOException {
        GeneratedRows rows = RatingLog.of(folder, 10_000, 0);
        Path report = folder.resolve("report.json");
        List<Double> errors = new ArrayList<>();
        for (String workers : List.of("1", "2")) {
            String out =
                    succeeds(
                            List.of(
                                    "train",
                                    "--algorithm",
                                    "matrix-factorization",
                                    "--workers",
                                    workers,
                                    "--input",
                                    rows.train().toString(),
                                    "--test",
                                    rows.test().toString(),
                                    "--report",
                                    report.toString()));
            assertThat(out).contains(CHOSEN + "--epochs 60 ", "--mean 3.", "--l2 ");
            errors.add(JSON.readTree(report.toFile()).get("test").get("rmse").asDouble());
        }
        assertThat(errors.get(0)).isLessThan(.78);
        assertThat(errors.get(1)).isCloseTo(errors.get(0), withinPercentage(1));
    }

    @Test
    void leavesWhatIsGivenAndSaysWhatWasChosen() throws IOException {
        String train = rows("libsvm", "train", 1);
        String out =
                succeeds(
                        command(
                                "libsvm",
                                train,
                                "--epochs",
                                "3",
                                "--l2",
                                "0.5",
                                "--batch-size",
                                "10"));
        String chosen =
                out.lines().filter(line -> line.startsWith(CHOSEN)).findFirst().orElseThrow();
        assertThat(chosen)
                .contains("--learning-rate", "--cosine-steps 120 ")
                .doesNotContain("--epochs", "--l2", "--batch-size");
        assertThat(out).contains("3 passes");
    }

    @Test
    void choosesNothingWhereThatIsSaid() throws IOException {
        String train = rows("libsvm", "train", 1);
        String out = succeeds(command("libsvm", train, "--tuning", "off", "--epochs", "1"));
        assertThat(out).doesNotContain(CHOSEN);
        out = succeeds(command("libsvm", train, "--patience", "1", "--epochs", "1"));
        assertThat(out).doesNotContain(CHOSEN);
    }

    @Test
    void countsStepsAsTheOptimizerDoes() throws IOException {
        String train = rows("libsvm", "train", 1);
        List<String> command = command("libsvm", train, "--epochs", "3", "--batch-size", "10");
        command.addAll(List.of("--consistency", "asp", "--l2", "0"));
        assertThat(succeeds(command)).contains("--cosine-steps 240 ");
    }

    /** Rounds count on from those of a model with slots only. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void letsTheRateFallToTheEndOfWhatATrainingAdds(boolean slots) throws IOException {
        String train = rows("libsvm", "train", 1);
        String model = folder.resolve("model").toString();
        List<String> common = List.of("--epochs", "3", "--batch-size", "10", "--quiet");
        List<String> first = command("libsvm", train, "--l2", "0", "--model", model);
        first.addAll(common);
        if (slots) {
            first.add("--save-slots");
        }
        succeeds(first);
        String second = folder.resolve("second").toString();
        String out =
                succeeds(
                        List.of(
                                "train",
                                "--input",
                                train,
                                "--initial-model",
                                model,
                                "--epochs",
                                "2",
                                "--batch-size",
                                "10",
                                "--model",
                                second));
        long before = slots ? rounds(model) : 0;
        SavedModel saved = SavedModel.open("--initial-model", Path.of(model));
        assertThat(saved.rounds("adagrad")).isEqualTo(before);
        assertThat(saved.rounds("ftrl")).as("which has slots of its own").isZero();
        assertThat(rounds(model)).isGreaterThanOrEqualTo(3 * ROWS / 20);
        long steps = before + 2 * ROWS / 20;
        assertThat(out).contains(CHOSEN + "--cosine-steps " + steps + "\n");
        assertThat(rounds(second))
                .as("rounds by which the rate has fallen")
                .isCloseTo(steps, withinPercentage(5));
    }

    /** Returns the rounds that a saved model says its servers had counted. */
    private static long rounds(String model) {
        return SavedModel.open("--model", Path.of(model)).manifest().tables().stream()
                .flatMap(table -> table.files().stream())
                .mapToLong(file -> file.steps().rounds())
                .max()
                .orElseThrow();
    }
}
