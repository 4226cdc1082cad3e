package io.github.flinkps.flink.serving;

import io.github.flinkps.flink.service.ServiceAddress;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Says where a model is now. Calls block on storage and may fail unchecked. */
public interface ModelLocator extends Serializable {
    /**
     * A version of the model.
     *
     * @param id by which it is told from others
     * @param directory of the saved model
     */
    record Version(String id, String directory) {}

    /**
     * Returns servers that have the model while a job trains it, the newest attempt first; also
     * those of jobs that were killed, which {@link
     * io.github.flinkps.flink.service.EntryWatch#alive} tells.
     */
    List<ServiceAddress> live();

    /** Returns the version that predicts where nobody trains; empty if there is none yet. */
    Optional<Version> version();

    /** Returns how long a model that is not there is waited for, as it is to come. */
    default Duration patience() {
        return Duration.ZERO;
    }
}
