package io.github.flinkps.benchmarks.results;

import java.util.List;

/**
 * A job of the table. Its commands are as a user pastes them into a shell, where {@code $DATA} is
 * the folder of the data sets and the current one a folder for what is prepared.
 *
 * @param name for {@code --only}
 * @param dataSet for people
 * @param model for people
 * @param needs files below the folder of data sets
 * @param prepare lines for bash; those that several jobs have run once
 * @param train what follows {@code flink-ps}
 * @param check the same, a command whose report has the measures instead of the training's; null if
 *     there is none
 * @param measures what is to be reached
 */
record ResultJob(
        String name,
        String dataSet,
        String model,
        List<String> needs,
        List<String> prepare,
        String train,
        String check,
        List<Measure> measures) {
    /** Returns a copy that runs through in seconds, and reaches nothing. */
    ResultJob reduced() {
        return new ResultJob(
                name,
                dataSet,
                model,
                needs,
                prepare.stream().map(ResultJob::reduced).toList(),
                reduced(train),
                check,
                measures);
    }

    static String reduced(String command) {
        return command.replaceAll("--epochs \\d+", "--epochs 1")
                .replaceAll("--rows \\d+", "--rows 4000")
                .replaceAll("head -n \\d+", "head -n 400");
    }
}
