package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.flinkps.flink.data.CsvRecipe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SharedFlink.class)
class CsvITCase {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir private Path folder;
    private Path rows;

    /**
     * Writes rows of persons over 40 who drive a van, and of others; only the crossed columns
     * separate them.
     */
    @BeforeEach
    void writeRows() throws IOException {
        Random random = new Random(3);
        List<String> lines = new ArrayList<>(List.of("answer,age,drives,note"));
        for (int i = 0; i < 2000; i++) {
            boolean old = random.nextBoolean();
            boolean van = random.nextBoolean();
            int age = old ? 41 + random.nextInt(30) : 11 + random.nextInt(30);
            String answer = old == van ? "yes" : "no";
            lines.add(answer + "," + age + "," + (van ? "van" : "\"car, red\"") + ",n" + i % 7);
        }
        rows = Files.write(folder.resolve("rows.csv"), lines);
    }

    private String in(String name) {
        return folder.resolve(name).toString();
    }

    private static String[] with(String[] first, String... more) {
        return Stream.concat(Stream.of(first), Stream.of(more)).toArray(String[]::new);
    }

    private String[] train(String... more) {
        String[] fixed = {
            "train", "--quiet", "--format", "csv", "--input", rows.toString(), "--label", "answer"
        };
        return with(fixed, more);
    }

    /** The same with the age as a category, and the columns in another order. */
    private Path crossed() throws IOException {
        Path crossed = folder.resolve("crossed.csv");
        List<String> lines = Files.readAllLines(rows);
        List<String> aged = new ArrayList<>(List.of("drives,answer,group"));
        for (String line : lines.subList(1, lines.size())) {
            List<String> fields = CsvRecipe.fields(line, ",");
            String group = Integer.parseInt(fields.get(1)) > 40 ? "old" : "young";
            aged.add('"' + fields.get(2) + "\"," + fields.get(0) + "," + group);
        }
        return Files.write(crossed, aged);
    }

    @Test
    void trainsOnBuckets() throws IOException {
        TestingCommand.succeeds(
                train(
                        "--numeric",
                        "age",
                        "--numeric-transform",
                        "bucket",
                        "--categorical",
                        "drives",
                        "--cross",
                        "drives*note",
                        "--test-share",
                        "0.2",
                        "--report",
                        in("report.json")));
        JsonNode test = JSON.readTree(folder.resolve("report.json").toFile()).get("test");
        assertThat(test.get("accuracy").asDouble()).isBetween(.4, .6); // nothing tells alone
    }

    /** Rows of three classes, each about a point of its own. */
    private static List<String> classes(String pattern, String... names) {
        Random random = new Random(7);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            double x = Math.cos(i % 3 * 2.1) * 3 + random.nextGaussian() / 3;
            double y = Math.sin(i % 3 * 2.1) * 3 + random.nextGaussian() / 3;
            lines.add(pattern.formatted(names[i % 3], (float) x, (float) y));
        }
        return lines;
    }

    @ParameterizedTest
    @CsvSource({
        "%s 1:%s 2:%s, 1, 2, 3, libsvm",
        "%s 1:%s 2:%s, 30, -7, 8, libsvm",
        "'%s,%s,%s', red, 'so, so', a, csv",
        "'%s,%s,%s', 3, 2, 1, csv",
    })
    void classesAreWrittenAsTheFileNamesThem(
            String pattern, String first, String second, String third, String format)
            throws IOException {
        boolean csv = format.equals("csv");
        List<String> names = Stream.of(first, second, third).toList();
        List<String> lines =
                classes(pattern, names.stream().map(CsvITCase::field).toArray(String[]::new));
        Path file = Files.write(folder.resolve("rows.txt"), lines);
        String[] train = {
            "train",
            "--input",
            file.toString(),
            "--algorithm",
            "softmax",
            "--classes",
            "3",
            "--test-share",
            "0.2",
            "--format",
            format,
            "--model",
            in("model")
        };
        String[] columns = {"--columns", "k,a,b", "--label", "k", "--numeric", "a,b"};
        String said = TestingCommand.succeeds(csv ? with(train, columns) : train).out();
        List<String> sorted =
                csv && first.equals("red")
                        ? names.stream().sorted().toList()
                        : names.stream().sorted(Comparator.comparing(Double::valueOf)).toList();
        assertThat(said)
                .contains(
                        "labels: %s (0), %s (1), %s (2)"
                                .formatted(sorted.get(0), sorted.get(1), sorted.get(2)));
        TestingCommand.succeeds(
                "predict",
                "--model",
                in("model"),
                "--input",
                file.toString(),
                "--output",
                in("scores.csv"));
        List<String> scores = Files.readAllLines(folder.resolve("scores.csv"));
        assertThat(CsvRecipe.fields(scores.get(0), ","))
                .isEqualTo(
                        Stream.concat(
                                        Stream.of("label", "score"),
                                        sorted.stream().map("score_"::concat))
                                .toList());
        int right = 0;
        for (int i = 0; i < lines.size(); i++) {
            List<String> fields = CsvRecipe.fields(scores.get(1 + i), ",");
            assertThat(fields.get(0)).isEqualTo(csv ? "" : names.get(i % 3));
            right += fields.get(1).equals(names.get(i % 3)) ? 1 : 0;
            double best = Double.parseDouble(fields.get(2 + sorted.indexOf(fields.get(1))));
            assertThat(fields.subList(2, 5)).allMatch(p -> Double.parseDouble(p) <= best);
        }
        assertThat(right).isGreaterThan(590);
        checkConfusion(file, sorted);
    }

    private void checkConfusion(Path file, List<String> sorted) throws IOException {
        String printed =
                TestingCommand.succeeds(
                                "evaluate",
                                "--model",
                                in("model"),
                                "--test",
                                file.toString(),
                                "--report",
                                in("e.json"))
                        .out();
        assertThat(printed).contains("confusion       " + sorted.get(0) + " taken for  ");
        JsonNode confusion = JSON.readTree(folder.resolve("e.json").toFile()).at("/test/confusion");
        for (String label : sorted) {
            assertThat(confusion.get(label).get(label).asDouble()).isBetween(190.0, 200.0);
        }
    }

    private static String field(String text) {
        return text.contains(",") ? '"' + text + '"' : text;
    }

    @Test
    void anyTwoLabelsDo() throws IOException {
        List<String> lines = classes("%s 1:%s 2:%s", "4", "2", "2");
        Path file = Files.write(folder.resolve("rows.svm"), lines);
        String[] train = {"train", "--input", file.toString(), "--test-share", ".2"};
        assertThat(TestingCommand.succeeds(train).out()).contains("labels: 2 (0), 4 (1)");
        assertThat(TestingCommand.succeeds(with(train, "--label-values", "4,2")).out())
                .contains("labels: 4 (0), 2 (1)");
        assertThat(TestingCommand.run(with(train, "--label-values", "4,3")).err())
                .contains("label '2' is none of the labels 4, 3");
        assertThat(TestingCommand.run(with(train, "--label-values", "4,4.0")).err())
                .contains("--label-values: '4.0' is there for two labels");
    }

    @Test
    void trainsOnACrossAndNeedsNoMoreThanTheModel() throws IOException {
        Path crossed = crossed();
        TestingCommand.succeeds(
                "train",
                "--quiet",
                "--format",
                "csv",
                "--input",
                crossed.toString(),
                "--label",
                "answer",
                "--cross",
                "drives*group",
                "--model",
                in("model"));
        // Other columns, in another order, and no label.
        Path asked = folder.resolve("asked.csv");
        Files.write(
                asked,
                List.of("group,x,drives", "old,1,van", "young,2,van", "young,3,\"car, red\""));
        TestingCommand.succeeds(
                "predict",
                "--model",
                in("model"),
                "--input",
                asked.toString(),
                "--output",
                in("p"));
        List<String> scores = Files.readAllLines(folder.resolve("p"));
        assertThat(scores).hasSize(4);
        assertThat(scores.get(1)).startsWith(",");
        assertThat(Double.parseDouble(scores.get(1).substring(1))).isGreaterThan(.75);
        assertThat(Double.parseDouble(scores.get(2).substring(1))).isLessThan(.25);
        assertThat(Double.parseDouble(scores.get(3).substring(1))).isGreaterThan(.75);
        TestingCommand.succeeds(
                "evaluate",
                "--model",
                in("model"),
                "--test",
                crossed.toString(),
                "--report",
                in("e.json"));
        JsonNode evaluated = JSON.readTree(folder.resolve("e.json").toFile()).get("test");
        assertThat(evaluated.get("accuracy").asDouble()).isCloseTo(1, within(1e-9));
        assertThat(TestingCommand.succeeds("model", "describe", in("model")).out())
                .contains("[\"drives\",\"group\"]");
    }

    /** Reads headers as a spreadsheet writes them, and a table with its row names. */
    @Test
    void readsHeadersThatBeginWithAMarkOrWithoutAName() throws IOException {
        List<String> lines = Files.readAllLines(rows);
        List<String> tabbed = new ArrayList<>();
        for (String line : lines) {
            List<String> fields = CsvRecipe.fields(line, ",");
            String number = tabbed.isEmpty() ? "" : Integer.toString(tabbed.size());
            tabbed.add(number + "\t" + String.join("\t", fields));
        }
        assertThat(tabbed.get(0)).startsWith("\tanswer\tage");
        Files.write(rows, tabbed);
        TestingCommand.succeeds(
                train(
                        "--delimiter",
                        "\\t",
                        "--numeric",
                        "age",
                        "--epochs",
                        "1",
                        "--model",
                        in("model")));
        Path asked =
                Files.writeString(
                        folder.resolve("asked.csv"),
                        "\uFEFFanswer\tage\n\t30\nmaybe\t50\nyes\t?1\n");
        TestingCommand bad =
                TestingCommand.run(
                        "predict",
                        "--model",
                        in("model"),
                        "--input",
                        asked.toString(),
                        "--output",
                        in("p"));
        assertThat(bad.err()).contains("asked.csv:4:5: column 'age': '?1' is not a finite number");
        TestingCommand.succeeds(
                "predict",
                "--model",
                in("model"),
                "--input",
                asked.toString(),
                "--on-bad-row",
                "skip",
                "--output",
                in("p"));
        assertThat(Files.readAllLines(folder.resolve("p")))
                .as("no label, and one that the model does not know, are not looked at")
                .hasSize(3)
                .allMatch(line -> line.startsWith(",") || line.equals("label,score"));
        assertFails(
                "asked.csv:2:1: label column 'answer': no label",
                "evaluate",
                "--model",
                in("model"),
                "--test",
                asked.toString());
    }

    @Test
    void saysThatAllWeightsAreZero() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(rows)) {
            lines.add(line + (lines.isEmpty() ? ",w" : ",0"));
        }
        Files.write(rows, lines);
        String[] weighted = train("--numeric", "age", "--weight", "w", "--model", in("model"));
        assertFails("--input: all training rows have weight 0 in the column 'w'", weighted);
        assertFails(
                "validation rows have weight 0: look at the weights",
                with(weighted, "--validation-share", ".25"));
        assertThat(folder.resolve("model")).doesNotExist();
    }

    @Test
    void scoresWithoutWeightsAndRefusesNamesAsARow() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(rows)) {
            lines.add(line + ",1");
        }
        Files.write(rows, lines.subList(1, lines.size()));
        String names = "answer,age,drives,note,w";
        TestingCommand.succeeds(
                train(
                        "--columns",
                        names,
                        "--numeric",
                        "age",
                        "--weight",
                        "w",
                        "--epochs",
                        "1",
                        "--model",
                        in("model")));
        Path asked = Files.writeString(folder.resolve("asked.csv"), "\uFEFF30\n41\n");
        String[] predict = {
            "predict", "--model", in("model"), "--input", asked.toString(), "--output", in("p")
        };
        TestingCommand.succeeds(with(predict, "--columns", "age"));
        assertThat(Files.readAllLines(folder.resolve("p"))).hasSize(3);
        assertFails(
                "--test: --columns: there is no column 'w', the weight of rows, among answer, age",
                "evaluate",
                "--model",
                in("model"),
                "--columns",
                "answer,age",
                "--test",
                asked.toString());
        Files.writeString(asked, "\uFEFF" + names + "\nno,30,van,n1,1\n");
        assertFails("asked.csv:1: the line names the columns, and is no row: remove it", predict);
    }

    @Test
    void readsTextInAnotherEncoding() throws IOException {
        List<String> lines = new ArrayList<>(List.of("", "\u00e2ge,nom"));
        for (int i = 0; i < 200; i++) {
            lines.add(i % 2 == 0 ? i + ",p\u00e8re" : i + ",p\u00e9re");
        }
        Path file = Files.write(folder.resolve("rows.csv"), lines, StandardCharsets.ISO_8859_1);
        String[] train = {
            "train",
            "--format",
            "csv",
            "--input",
            file.toString(),
            "--label",
            "nom",
            "--numeric",
            "\u00e2ge",
            "--epochs",
            "1"
        };
        assertFails("rows.csv:1: the names of the columns are not of the encoding UTF-8", train);
        Files.write(
                file,
                String.join("\n", lines)
                        .replace("\u00e2ge", "age")
                        .getBytes(StandardCharsets.ISO_8859_1));
        String[] plain =
                Stream.of(train).map(text -> text.replace("\u00e2", "a")).toArray(String[]::new);
        assertFails("rows.csv:3:4: byte 0xe8 is not of the encoding UTF-8", plain);
        String[] encoded = with(plain, "--encoding", "windows-1252");
        assertThat(TestingCommand.succeeds(encoded).out())
                .contains("labels: p\u00e8re (0), p\u00e9re (1)");
    }

    @Test
    void anEmptyLineOfAColumnAloneIsARow() throws IOException {
        TestingCommand.succeeds(train("--numeric", "age", "--epochs", "1", "--model", in("model")));
        Path asked = Files.writeString(folder.resolve("asked.csv"), "\nage\n30\n\n41\n");
        TestingCommand.succeeds(
                "predict",
                "--model",
                in("model"),
                "--input",
                asked.toString(),
                "--output",
                in("p"));
        List<String> scores = Files.readAllLines(folder.resolve("p"));
        assertThat(scores).hasSize(4);
        assertThat(scores.get(1)).isNotEqualTo(scores.get(3));
    }

    @Test
    void standardisesLibsvm() throws IOException {
        Random random = new Random(5);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            double x = random.nextGaussian();
            lines.add((x > 0 ? 1 : 0) + " 1:" + (1e6 + 1e3 * x) + " 2:1");
        }
        Path file = Files.write(folder.resolve("rows.libsvm"), lines);
        TestingCommand.succeeds(
                "train",
                "--quiet",
                "--input",
                file.toString(),
                "--numeric-transform",
                "standard",
                "--model",
                in("model"));
        TestingCommand.succeeds(
                "evaluate",
                "--model",
                in("model"),
                "--test",
                file.toString(),
                "--report",
                in("e.json"));
        JsonNode test = JSON.readTree(folder.resolve("e.json").toFile()).get("test");
        assertThat(test.get("accuracy").asDouble()).isGreaterThan(.97);
        Files.write(file, List.of("1 3:1", "0 4:1"));
        assertFails(
                "--test: none of the 2 rows has a feature that the model knows",
                "evaluate",
                "--model",
                in("model"),
                "--test",
                file.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --numeric agee                      | 2 | --numeric: there is no column 'agee' among
                    --numeric age,age                   | 2 | column 'age' is a feature twice
                    --numeric age,answer                | 2 | 'answer' is both label or weight and feature
                    --numeric drives                    | 1 | rows.csv:2:8: column 'drives': 'van' is not a finite number
                    --numeric age --columns a,b         | 2 | there is no column 'age' among a, b
                    --categorical a                     | 2 | --categorical: there is no column 'a' among
                    --cross age*b                       | 2 | --cross: there is no column 'b' among
                    --numeric age --columns answer,age,age,note | 2 | --columns: column 'age' is there twice
                    --categorical drives --numeric-transform standard | 2 | --numeric-transform goes with --numeric
                    --cross age                         | 2 | --cross must be columns with * between
                    --cross drives*answer               | 2 | 'answer' is both label or weight and feature
                    --cross drives*drives               | 2 | the cross 'drives*drives' has a column twice
                    --cross drives*note,note*drives     | 2 | column 'note*drives' is a feature twice
                    --numeric age --weight answer       | 2 | 'answer' is both label and weight
                    --numeric age --weight note         | 1 | column 'note': 'n0' is not a finite number
                    --numeric age --hash-bits 65        | 2 | --hash-bits must be between 1 and 64
                    --numeric age --delimiter ;;        | 2 | --delimiter must be one character
                    --numeric age --delimiter=          | 2 | --delimiter must be one character
                    --numeric age --delimiter "         | 2 | --delimiter must be one character
                    --columns answer,age,drives,note --numeric age | 1 | rows.csv:1: the line names the columns, and is no row: remove it, or leave out --columns
                    --numeric age --weight agee         | 2 | --weight: there is no column 'agee' among
                    --numeric age --label-values no,yep | 1 | 'yes' is none of the labels
                    --numeric age --label-values no,yes,maybe | 2 | --label-values names 3 labels; the algorithm has 2
                    --numeric age --label-values a,b,no,yes --algorithm softmax --classes 3 | 2 | --label-values names 4 labels; the algorithm has 3 --classes
                    --numeric age --label-values no,yes --algorithm poisson-regression | 2 | --label-values does not go with labels that are numbers
                    --numeric age --algorithm linear-regression | 1 | column 'answer': 'yes' is not a finite number
                    --numeric age --numeric-transform cube | 2 | must be one of auto, none, standard, log, bucket
                    """)
    void saysWhichColumnIsWrong(String options, int code, String message) {
        TestingCommand command = TestingCommand.run(train(options.strip().split(" ")));
        assertThat(command.err()).contains(message).doesNotContain("\tat ");
        assertThat(command.exitCode()).isEqualTo(code);
    }

    @Test
    void saysWhichFileOrRowIsWrong() throws IOException {
        Path other = folder.resolve("other.csv");
        Files.writeString(other, "answer,age,drives,notes\nyes,1,van,x\n");
        String both = rows + "," + other;
        assertFails(
                "are not those of",
                "train",
                "--format",
                "csv",
                "--input",
                both,
                "--label",
                "answer",
                "--numeric",
                "age");
        Files.writeString(other, "answer,age,drives,note\nyes,1,\"van,x\nno,2,van,x\n");
        assertFails(
                "other.csv:2:7: the quote is left open",
                "train",
                "--format",
                "csv",
                "--input",
                other.toString(),
                "--label",
                "answer",
                "--numeric",
                "age");
        Files.writeString(other, "answer,age,drives,note\nyes,1,van\n");
        assertFails(
                "other.csv:2:1: 3 fields instead of 4 columns",
                "train",
                "--format",
                "csv",
                "--input",
                other.toString(),
                "--label",
                "answer",
                "--numeric",
                "age");
        TestingCommand.succeeds(train("--numeric", "age", "--model", in("model")));
        Files.writeString(other, "answer,height\nyes,1\n");
        assertFails(
                "--test: " + other + ": there is no column 'age' among",
                "evaluate",
                "--model",
                in("model"),
                "--test",
                other.toString());
        assertFails(
                "the model was trained on csv",
                "evaluate",
                "--format",
                "libsvm",
                "--model",
                in("model"),
                "--test",
                other.toString());
    }

    @Test
    void refusesAColumnThatIsThereTwice() throws IOException {
        TestingCommand.succeeds(train("--numeric", "age", "--epochs", "1", "--model", in("model")));
        Path other = folder.resolve("other.csv");
        Files.writeString(other, "answer,age,age\nyes,1,2\n");
        assertFails(
                "--input: " + other + ":1: column 'age' is there twice",
                "train",
                "--format",
                "csv",
                "--input",
                other.toString(),
                "--label",
                "answer",
                "--numeric",
                "age");
        assertFails(
                "--test: " + other + ":1: column 'age' is there twice",
                "evaluate",
                "--model",
                in("model"),
                "--test",
                other.toString());
    }

    private static void assertFails(String message, String... arguments) {
        TestingCommand command = TestingCommand.run(arguments);
        assertThat(command.err()).contains(message).doesNotContain("\tat ");
        assertThat(command.exitCode()).isEqualTo(1);
    }
}
