package io.github.flinkps.flink.training;

import java.io.Serializable;
import java.time.Duration;

/**
 * How a worker takes cuts.
 *
 * @param enabled whether the job takes checkpoints
 * @param publisher puts manifests together
 * @param timeout of a checkpoint, and so of a cut
 * @param retained completed checkpoints that Flink keeps
 */
public record CutSettings(boolean enabled, CutPublisher publisher, Duration timeout, int retained)
        implements Serializable {}
