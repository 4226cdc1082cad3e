package io.github.flinkps.flink.training.cut;

import java.io.Serializable;
import java.time.Duration;

/**
 * The settings by which a worker takes cuts.
 *
 * @param enabled whether the job takes checkpoints
 * @param publisher puts manifests together
 * @param timeout of a checkpoint, and so of a cut
 * @param retained completed checkpoints that Flink keeps, or one less than are to be kept if that
 *     is more
 * @param keeps whether servers that have outlived the attempt before keep the model as it is
 */
public record CutSettings(
        boolean enabled, CutPublisher publisher, Duration timeout, int retained, boolean keeps)
        implements Serializable {
    /**
     * Returns the settings of a job for which Flink keeps at least so many completed checkpoints.
     */
    public CutSettings retaining(int checkpoints) {
        return new CutSettings(enabled, publisher, timeout, Math.max(retained, checkpoints), keeps);
    }

    /** Returns the settings with the folders of a job. */
    public CutSettings ofJob(String jobId) {
        return new CutSettings(enabled, publisher.ofJob(jobId), timeout, retained, keeps);
    }
}
