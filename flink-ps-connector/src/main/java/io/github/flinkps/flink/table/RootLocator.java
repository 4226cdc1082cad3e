package io.github.flinkps.flink.table;

import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.serving.ModelLocator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * Locates a model below a model root.
 *
 * @param model which model
 * @param chosen id of the one version that predicts; null for servers that train it, or the newest
 *     version
 */
public record RootLocator(ModelPath model, String chosen) implements ModelLocator {
    private static final long serialVersionUID = 1L;

    @Override
    public List<ServiceAddress> live() {
        if (chosen != null) {
            return List.of();
        }
        String directory = model.directory();
        try {
            return ServiceRegistry.live(directory, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "looking for servers in " + directory + " failed: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<Version> version() {
        return model.models().versions(model.database(), model.model()).stream()
                .filter(version -> chosen == null || version.id().equals(chosen))
                .reduce((earlier, later) -> later)
                .map(version -> new Version(version.id(), version.directory()));
    }
}
