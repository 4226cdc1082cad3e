package io.github.flinkps.cli.job;

import io.github.flinkps.flink.training.TrainingProgress;
import java.time.Duration;

/** Takes what a job tells on its way. Called by one thread. */
public interface JobProgress {
    /** Returns how often workers are to tell how far they are. */
    Duration interval();

    /**
     * Begins a phase of the job.
     *
     * @param name as the user reads it
     */
    void phase(String name);

    /** Takes what a worker has told. */
    void accept(TrainingProgress progress);
}
