package io.github.flinkps.cli;

import io.github.flinkps.cli.job.ModelTarget;
import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.cli.job.SavedModel;
import io.github.flinkps.cli.output.FollowedFile;
import io.github.flinkps.cli.output.OutputFile;
import io.github.flinkps.cli.output.OutputFolder;
import io.github.flinkps.cli.progress.EventLog;
import io.github.flinkps.cli.progress.MetricsFile;
import io.github.flinkps.cli.progress.ProgressPrinter;
import io.github.flinkps.cli.progress.ProgressTracker;
import io.github.flinkps.cli.progress.Terminal;
import io.github.flinkps.cli.run.CommandException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The output of a training beside its model: what it prints, and the files it writes. */
final class TrainOutputs {
    private static final String MODEL = "--model";
    private static final String REPORT = "--report";
    private static final String METRICS = "--metrics";
    private static final String TENSORBOARD = "--tensorboard";

    @Option(
            names = REPORT,
            paramLabel = "FILE",
            description = "JSON file for the result of the training.")
    private Path report;

    @Option(
            names = METRICS,
            paramLabel = "FILE",
            description =
                    "CSV file for the course of the training: rows, speed, loss, AUC and more. It"
                            + " gets a row about every second and at the end of each pass.")
    private Path metrics;

    @Option(
            names = TENSORBOARD,
            paramLabel = "DIR",
            description = "Folder for a new file with the same curves, for TensorBoard.")
    private Path tensorboard;

    @Option(names = "--quiet", description = "No output but errors.")
    private boolean quiet;

    private OutputFile reportFile;
    private OutputFile metricsFile;
    private OutputFolder events;

    /**
     * Looks whether everything can be written, each in a place of its own, before any work is done.
     *
     * @param target of the model, null if there is none
     * @throws CommandException naming the options
     */
    void check(ModelTarget target) {
        reportFile = report == null ? null : OutputFile.of(REPORT, report);
        metricsFile = metrics == null ? null : OutputFile.of(METRICS, metrics);
        events = tensorboard == null ? null : OutputFolder.of(TENSORBOARD, tensorboard);
        if (reportFile != null && metricsFile != null) {
            metricsFile.apartFrom(reportFile);
        }
        if (events != null) {
            both().forEach(events::apartFrom);
        }
        if (target != null) {
            both().forEach(file -> file.apartFrom(MODEL, target));
            if (events != null) {
                events.apartFrom(MODEL, target);
            }
        }
    }

    /**
     * Looks whether nothing that is read would be destroyed, and nothing that is written while rows
     * are read would be taken for some.
     *
     * @param test null if there are none
     * @param initial null if there is none
     * @throws CommandException naming the options
     */
    void checkApart(RowsInput rows, RowsInput test, SavedModel initial) {
        for (RowsInput each : test == null ? List.of(rows) : List.of(rows, test)) {
            both().forEach(file -> file.apartFrom(each));
            if (metricsFile != null) {
                metricsFile.outsideOf(each);
            }
            if (events != null) {
                events.outsideOf(each);
            }
        }
        if (initial != null) {
            both().forEach(file -> file.apartFrom(initial.option(), initial));
        }
    }

    private List<OutputFile> both() {
        return Stream.of(reportFile, metricsFile).filter(Objects::nonNull).toList();
    }

    boolean quiet() {
        return quiet;
    }

    /** Returns the file of the report, or null if none was asked for. */
    OutputFile report() {
        return reportFile;
    }

    /** Returns the curves of a run. */
    Curves open() {
        return new Curves(metricsFile, events);
    }

    /** The files that are written while it trains; whatever happens, what is in them stays. */
    static final class Curves implements AutoCloseable {
        private final List<FollowedFile> open = new ArrayList<>();
        private final MetricsFile metrics;
        private final EventLog events;

        private Curves(OutputFile file, OutputFolder folder) {
            metrics = file == null ? null : new MetricsFile(opened(file.follow()));
            events =
                    folder == null
                            ? null
                            : new EventLog(
                                    opened(folder.follow(eventsName())), System::currentTimeMillis);
        }

        private FollowedFile opened(FollowedFile file) {
            open.add(file);
            return file;
        }

        /** Returns a name with "tfevents", which TensorBoard looks for, and with the time. */
        private static String eventsName() {
            return "events.out.tfevents."
                    + System.currentTimeMillis() / 1000
                    + ".flink-ps."
                    + ProcessHandle.current().pid();
        }

        /** Lets the files, and the terminal unless null, be told how the training goes. */
        void follow(ProgressTracker tracker, Terminal terminal, String lossName, int servers) {
            if (terminal != null) {
                tracker.tell(new ProgressPrinter(terminal, lossName, servers));
            }
            if (metrics != null) {
                tracker.tell(metrics);
            }
            if (events != null) {
                tracker.tell(events);
            }
        }

        /** Writes the measures of the test, by their names, to the event log if there is one. */
        void tested(Map<String, Double> measures) {
            if (events != null) {
                events.tested(measures);
            }
        }

        @Override
        public void close() {
            open.forEach(FollowedFile::close);
        }
    }
}
