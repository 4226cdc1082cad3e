package io.github.flinkps.cli;

import picocli.CommandLine.Option;

/** How many workers go through the rows. */
final class WorkerOptions {
    private static final int MOST = 1024;

    @Option(
            names = "--workers",
            paramLabel = "W",
            defaultValue = "2",
            description = "Workers, each with a reader of its own. Default: ${DEFAULT-VALUE}.")
    private int workers;

    void check(Usage usage) {
        usage.between("--workers", workers, 1, MOST);
    }

    int count() {
        return workers;
    }

    String describe() {
        return workers + (workers == 1 ? " worker" : " workers");
    }
}
