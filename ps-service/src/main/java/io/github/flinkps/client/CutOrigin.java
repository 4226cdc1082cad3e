package io.github.flinkps.client;

import java.time.Duration;
import java.util.Objects;

/**
 * The directory of an attempt's cuts, and the cut it goes on from.
 *
 * @param directory of the model, below which the run's cuts are kept, as the servers' storage knows
 *     it
 * @param manifest path of the cut to roll to; empty: the model stays as it is
 * @param checksum of the manifest's bytes
 * @param keeps whether a server where an earlier attempt of the run has trained the model leaves it
 *     as it is, and takes only the clocks from the cut
 * @param timeout the longest time of a cut; zero: as the servers are set
 */
public record CutOrigin(
        String directory, String manifest, long checksum, boolean keeps, Duration timeout) {
    public CutOrigin {
        Objects.requireNonNull(directory);
        Objects.requireNonNull(manifest);
        Objects.requireNonNull(timeout);
    }
}
