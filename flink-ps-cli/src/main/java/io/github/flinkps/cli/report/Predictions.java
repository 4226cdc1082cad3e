package io.github.flinkps.cli.report;

import io.github.flinkps.cli.RunScope;
import io.github.flinkps.cli.job.ScoreJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;

/** Scores as CSV: {@code label,score}. */
public final class Predictions {
    private Predictions() {}

    /** Scores rows, in order. */
    public interface Scoring {
        long score(ScoreJob.Ordered rows) throws Exception;
    }

    /**
     * Writes what {@code scoring} gives.
     *
     * @return the number of rows
     * @throws Exception what went wrong; then no file is left
     */
    public static long write(OutputFile file, RunScope scope, Scoring scoring) throws Exception {
        long[] count = new long[1];
        try {
            file.write(
                    scope,
                    writer -> {
                        writer.write("label,score\n");
                        count[0] = rows(writer, scoring);
                    });
        } catch (Failed e) {
            throw (Exception) e.getCause();
        }
        return count[0];
    }

    private static long rows(Writer writer, Scoring scoring) throws IOException {
        try {
            return scoring.score(
                    (label, score) -> {
                        try {
                            writer.write(number(label) + "," + score + "\n");
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

    /** Whole numbers without a point. */
    private static String number(float label) {
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
