package io.github.flinkps.cli.report;

import io.github.flinkps.cli.job.ScoreJob;
import io.github.flinkps.cli.output.OutputFile;
import io.github.flinkps.cli.run.RunScope;
import io.github.flinkps.flink.metrics.ClassMetrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;

/**
 * Scores as CSV: {@code label,score}; of a model of classes {@code label,score,score_a,score_b,..},
 * the score then being the class of the highest, and a, b, .. their names.
 */
public final class Predictions {
    private Predictions() {}

    /** Scores rows, in order. */
    public interface Scoring {
        ScoreJob.Counts score(ScoreJob.Ordered rows) throws Exception;
    }

    /**
     * Writes what {@code scoring} gives.
     *
     * @param classes names of those whose probabilities are written; none for a single score
     * @return how many rows there were
     * @throws Exception what went wrong; then no file is left
     */
    public static ScoreJob.Counts write(
            OutputFile file, RunScope scope, List<String> classes, Scoring scoring)
            throws Exception {
        ScoreJob.Counts[] count = new ScoreJob.Counts[1];
        try {
            file.write(
                    scope,
                    writer -> {
                        writer.write(header(classes));
                        count[0] = rows(writer, classes, scoring);
                    });
        } catch (Failed e) {
            throw (Exception) e.getCause();
        }
        return count[0];
    }

    private static ScoreJob.Counts rows(Writer writer, List<String> classes, Scoring scoring)
            throws IOException {
        try {
            return scoring.score(
                    (label, scores) -> {
                        try {
                            writer.write(line(label, scores, classes));
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (Exception e) {
            throw new Failed(e);
        }
    }

    private static String header(List<String> classes) {
        StringBuilder header = new StringBuilder("label,score");
        for (String name : classes) {
            header.append(',').append(field("score_" + name));
        }
        return header.append('\n').toString();
    }

    private static String line(float label, float[] scores, List<String> classes) {
        if (classes.isEmpty()) {
            return number(label) + "," + scores[0] + "\n";
        }
        StringBuilder line = new StringBuilder(number(label));
        line.append(',').append(field(classes.get(ClassMetrics.best(scores, 0, scores.length))));
        for (float score : scores) {
            line.append(',').append(score);
        }
        return line.append('\n').toString();
    }

    /** Returns a text as a field of CSV, in quotes where it needs them (RFC 4180). */
    private static String field(String text) {
        return text.chars().anyMatch(c -> ",\"\n\r".indexOf(c) >= 0) || !text.strip().equals(text)
                ? '"' + text.replace("\"", "\"\"") + '"'
                : text;
    }

    /** Formats a label: whole numbers without a point, an empty text for no label (NaN). */
    private static String number(float label) {
        if (Float.isNaN(label)) {
            return "";
        }
        return label == (int) label ? Integer.toString((int) label) : Float.toString(label);
    }

    /** Carries a failure of the scoring through the writing. */
    private static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failed(Exception cause) {
            super(cause);
        }
    }
}
