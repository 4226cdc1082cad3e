package io.github.flinkps.client;

import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.protocol.AdminMessages;
import java.time.Duration;
import java.util.Objects;

/**
 * The directory of an attempt's cuts, and the cut it goes on from.
 *
 * @param directory of the model, below which the run's cuts are kept, as the servers' storage knows
 *     it
 * @param manifest of the cut to roll to; null: the model stays as it is
 * @param keeps whether a server where an earlier attempt of the run has trained the model leaves it
 *     as it is, and takes only the clocks from the cut
 * @param timeout the longest time of a cut; zero: as the servers are set
 */
public record CutOrigin(String directory, ManifestRef manifest, boolean keeps, Duration timeout) {
    public CutOrigin {
        Objects.requireNonNull(directory);
        Objects.requireNonNull(timeout);
    }

    /** Returns what a server is told; of no cut it is told an empty path. */
    AdminMessages.BeginCuts message(int session, String run) {
        return new AdminMessages.BeginCuts(
                session,
                run,
                directory,
                manifest == null ? "" : manifest.path(),
                manifest == null ? 0 : manifest.crc32c(),
                keeps,
                timeout.toMillis());
    }
}
