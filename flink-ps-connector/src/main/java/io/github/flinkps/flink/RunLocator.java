package io.github.flinkps.flink;

import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.serving.ModelLocator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Locates the model of a run, and nothing of any other run.
 *
 * @param directory of the model, below the model root
 * @param run the run
 * @param versions what it publishes; null for nothing
 * @param patience how long its servers may take to come, or to come again
 */
record RunLocator(String directory, String run, RunVersions versions, Duration patience)
        implements ModelLocator {
    private static final long serialVersionUID = 1L;

    @Override
    public List<ServiceAddress> live() {
        try {
            return new ServiceRegistry(directory, run)
                            .read(0)
                            .filter(ServiceAddress::hasServers)
                            .map(ServiceAddress::lasting)
                            .stream()
                            .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "looking for servers in " + directory + " failed: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<Version> version() {
        return versions == null
                ? Optional.empty()
                : versions.newest().map(version -> new Version(version.id(), version.path()));
    }
}
