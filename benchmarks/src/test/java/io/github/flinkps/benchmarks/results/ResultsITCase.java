package io.github.flinkps.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.RealData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every job of the page of results at reduced size, those of small data sets as they are, and that
 * the page is that of these jobs. With {@code -Dlong} all run as they are, in all shapes.
 */
class ResultsITCase {
    private static final boolean LONG = System.getProperty("long") != null;
    private static final Shape SHAPE = new Shape(2, "bsp");

    /** Jobs that take some seconds. */
    private static final List<String> SHORT = List.of("a9a", "adult", "dna", "abalone", "agaricus");

    @TempDir private static Path folder;

    private static ResultsRun run;
    private static ResultsRun whole;

    @BeforeAll
    static void begin() throws IOException {
        Files.createDirectories(folder.resolve("reduced"));
        Files.createDirectories(folder.resolve("whole"));
        run = new ResultsRun(RealData.folder(), folder.resolve("reduced"), true);
        whole = new ResultsRun(RealData.folder(), folder.resolve("whole"), false);
    }

    static Stream<String> jobs() {
        return ResultJobs.all().stream().map(ResultJob::name);
    }

    private static ResultJob job(String name) {
        return ResultJobs.all().stream()
                .filter(job -> job.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void runsReduced(String name) throws IOException, InterruptedException {
        ResultJob job = job(name);
        job.needs().forEach(RealData::path);
        run.run(job, SHAPE);
        for (Measure measure : job.measures()) {
            double measured = run.measured(name, measure.name(), SHAPE);
            assertThat(measured).as(measure.name()).isFinite().isPositive();
            // A job that is compared with another stands behind it.
            assertThat(run.reference(measure, SHAPE)).as("reference").isFinite().isPositive();
            assertThat(ResultsPage.row(job, measure, run, List.of(SHAPE)))
                    .startsWith("| " + job.dataSet() + " | " + job.model() + " | ");
        }
    }

    static Stream<String> wholeJobs() {
        return LONG ? jobs() : SHORT.stream();
    }

    @ParameterizedTest
    @MethodSource("wholeJobs")
    void meetsItsAims(String name) throws IOException, InterruptedException {
        ResultJob job = job(name);
        job.needs().forEach(RealData::path);
        List<Shape> shapes = LONG ? Shape.ALL : List.of(SHAPE);
        for (Shape shape : shapes) {
            whole.run(job, shape);
        }
        for (Measure measure : job.measures()) {
            System.out.println(ResultsPage.row(job, measure, whole, shapes));
            assertThat(ResultsPage.isMet(job, measure, whole, shapes)).as(measure.name()).isTrue();
        }
    }

    @Test
    void aimsAreMetOrNot() {
        Measure accuracy = Measure.atLeast("accuracy", .9, "known", .8);
        assertThat(accuracy.isMet(.8, .9)).isTrue();
        assertThat(accuracy.isMet(.79, .9)).isFalse();
        assertThat(accuracy.isMet(Double.NaN, .9)).isFalse();
        Measure rmse = Measure.atMost("rmse", "noise", (any, shape) -> 2, "1 %", r -> 1.01 * r);
        assertThat(rmse.isMet(2.02, 2)).isTrue();
        assertThat(rmse.isMet(2.03, 2)).isFalse();
        assertThat(rmse.isMet(2.02, Double.NaN)).isFalse();
    }

    /** The plane that rows lie on is found, whatever the feature that no row has. */
    @Test
    void leastSquaresAreLeast() throws IOException {
        Path rows = folder.resolve("plane");
        Files.write(rows, List.of("3 1:1 2:0", "5 1:2 2:0", "4 1:1 2:1", "7.5 1:2 2:2.5"));
        assertThat(new LeastSquares(rows, 3).rmse(rows)).isLessThan(1e-9);
    }

    /** The same for all sets and shapes. */
    private record Figure(double figure) implements Defaults.Figures {
        @Override
        public double reference(SplitSet set) {
            return figure;
        }

        @Override
        public double loss(SplitSet set, String options) {
            return figure;
        }
    }

    @Test
    void aSectionTellsOfDefaults() throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        assertThat(Defaults.print(SplitSet.ALL, new Figure(.1), lines::add)).isTrue();
        assertThat(lines)
                .contains("## Defaults")
                .filteredOn(line -> line.startsWith("| iris | softmax | logloss | "))
                .hasSize(2)
                .first(InstanceOfAssertFactories.STRING)
                .contains("at most 5 % or .01 above it, 3 % or .005 apart | 0.1000 | ")
                .endsWith(" yes |");
        int columns = lines.stream().mapToInt(ResultsITCase::cells).max().orElseThrow();
        assertThat(columns).isEqualTo(14);
        assertThat(SplitSet.ALL.get(0).train(3, "--l2 0"))
                .isEqualTo(
                        "train --input iris.3.train --test iris.3.test --algorithm softmax"
                            + " --classes 3 --format csv --label y --numeric c0,c1,c2,c3 --l2 0");
    }

    private static int cells(String line) {
        return line.startsWith("| ") ? line.split("\\|").length - 1 : 0;
    }

    @Test
    void defaultsAreNearTheReferenceInAllShapes() {
        SplitSet few = SplitSet.ALL.get(0);
        SplitSet many = SplitSet.ALL.get(SplitSet.ALL.size() - 1);
        assertThat(Defaults.isMet(few, .1, List.of(.106, .11))).isTrue();
        assertThat(Defaults.isMet(few, .1, List.of(.11, .111))).isFalse();
        assertThat(Defaults.isMet(few, .1, List.of(.1, .106))).isFalse();
        assertThat(Defaults.isMet(many, .3, List.of(.299, .3014))).isTrue();
        assertThat(Defaults.isMet(many, .3, List.of(.2, .2031))).isFalse();
    }

    /** The smallest set, one split of it, where scikit-learn can be had. */
    @Test
    void defaultsLearnASmallSet() throws IOException, InterruptedException {
        Path scripts = RealData.repository().resolve("benchmarks/splits");
        SplitFigures figures = new SplitFigures(whole, scripts, 1);
        SplitSet iris = SplitSet.ALL.get(0);
        try {
            figures.reference(iris);
        } catch (IllegalStateException e) {
            Assumptions.abort(e.getMessage());
        }
        assertThat(figures.loss(iris, "")).isLessThan(.15);
        assertThat(figures.loss(iris, "--tuning off")).isGreaterThan(.3);
    }

    /** Compares the page, all but the figures. */
    @Test
    void thePageIsOfTheseJobs() throws IOException, InterruptedException {
        Path page = RealData.repository().resolve("docs").resolve("results.md");
        List<String> written = new ArrayList<>();
        Files.readAllLines(page).forEach(line -> written.add(withoutFigures(line)));
        List<String> expected = new ArrayList<>(ResultsPage.header(false));
        expected.addAll(ResultsPage.tableHeader());
        for (ResultJob job : ResultJobs.all()) {
            for (Measure measure : job.measures()) {
                expected.add(ResultsPage.skipped(job, measure, "figures"));
            }
        }
        expected.addAll(ResultsPage.commands(ResultJobs.all()));
        if (written.contains("## Defaults")) { // where it was printed as well
            Defaults.print(SplitSet.ALL, new Figure(0), expected::add);
        }
        expected.replaceAll(ResultsITCase::withoutFigures);
        assertThat(written).as("print it anew: bin/results > %s", page).isEqualTo(expected);
    }

    private static String withoutFigures(String line) {
        if (!line.startsWith("| ")) {
            return line;
        }
        String[] cells = line.split(" \\| ");
        return String.join(
                " | ", Arrays.copyOf(cells, Math.min(cells.length, ResultsPage.FIRST_FIGURE)));
    }
}
