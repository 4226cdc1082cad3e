package io.github.flinkps.benchmarks.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The page of results, in Markdown. */
final class ResultsPage {
    /** Columns of figures that runs measure, which tests of drift leave out. */
    static final int FIRST_FIGURE = 4;

    private ResultsPage() {}

    static List<String> header(boolean reduced) {
        return List.of(
                "# Results",
                "",
                "What `bin/results"
                        + (reduced ? " --reduced" : "")
                        + "` printed, all jobs in one run or some at a time by `--only`.",
                "It runs the commands below, each with 1 and 2 workers. They work in step"
                        + " (`--consistency bsp`) and without waiting (`--consistency asp`).",
                "The command fails if an aim is not met. Test rows do not train.",
                "",
                "Data sets are looked for in FLINK_PS_DATA, else in `../shared/data`. The others"
                        + " are generated from known models, so that the best result is known too.",
                "",
                "`multiple` counts how often neighbours stand within five words of a word in the"
                        + " test rows. The neighbours are the ten nearest of each of the 200 most"
                        + " frequent words.",
                "The count is a multiple of that of words of the same frequency.",
                "",
                "A difference below .001 between two shapes says nothing.",
                "");
    }

    static List<String> tableHeader() {
        StringBuilder titles = new StringBuilder("| data set | model | measure | aim |");
        titles.append(" reference |");
        Shape.ALL.forEach(shape -> titles.append(" ").append(shape.title()).append(" |"));
        titles.append(" met |");
        return List.of(titles.toString(), "| --- | --- | --- | --- | --- |" + " ---: |".repeat(5));
    }

    /** Returns the row of a measure. */
    static String row(ResultJob job, Measure measure, ResultsRun run, List<Shape> shapes) {
        List<String> cells =
                new ArrayList<>(List.of(job.dataSet(), job.model(), measure.name(), measure.aim()));
        double first = run.reference(measure, shapes.get(0));
        boolean same = shapes.stream().allMatch(shape -> run.reference(measure, shape) == first);
        cells.add((same ? number(first) + ", " : "") + measure.reference());
        for (Shape shape : Shape.ALL) {
            cells.add(number(run.measured(job.name(), measure.name(), shape)));
        }
        cells.add(isMet(job, measure, run, shapes) ? "yes" : "NO");
        return "| " + String.join(" | ", cells) + " |";
    }

    static String skipped(ResultJob job, Measure measure, String missing) {
        return "| %s | %s | %s | %s | skipped: no %s | | | | | |"
                .formatted(job.dataSet(), job.model(), measure.name(), measure.aim(), missing);
    }

    static boolean isMet(ResultJob job, Measure measure, ResultsRun run, List<Shape> shapes) {
        return shapes.stream()
                .allMatch(
                        shape ->
                                measure.isMet(
                                        run.measured(job.name(), measure.name(), shape),
                                        run.reference(measure, shape)));
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.4f", value);
    }

    /** Returns the commands of the jobs. */
    static List<String> commands(List<ResultJob> jobs) {
        List<String> lines = new ArrayList<>();
        lines.addAll(List.of("", "## Commands", ""));
        lines.add(
                "Each with `--workers 1` or `2` and `--consistency bsp` or `asp`; `$DATA` is the"
                        + " folder of the data sets.");
        for (ResultJob job : jobs) {
            Function<String, String> paste = command -> "bin/flink-ps " + command;
            lines.addAll(List.of("", "`" + job.name() + "`", "```bash"));
            lines.addAll(job.prepare());
            lines.add(paste.apply(job.train()));
            if (job.check() != null) {
                lines.add(paste.apply(job.check()));
            }
            lines.add("```");
        }
        return lines;
    }
}
