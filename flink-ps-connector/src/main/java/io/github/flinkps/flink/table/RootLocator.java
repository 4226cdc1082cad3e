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
 * @param root the model root
 * @param database its database
 * @param model its name in the database
 * @param chosen id of the one version that predicts; null for servers that train it, or the newest
 *     version
 */
public record RootLocator(String root, String database, String model, String chosen)
        implements ModelLocator {
    private static final long serialVersionUID = 1L;

    @Override
    public List<ServiceAddress> live() {
        if (chosen != null) {
            return List.of();
        }
        String directory = new ModelRoot(root).directory(database, model);
        try {
            return ServiceRegistry.live(directory, 0).stream()
                    .filter(entry -> !entry.hasEnded())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "looking for servers in " + directory + " failed: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<Version> version() {
        ModelRoot models = new ModelRoot(root);
        return models.versions(database, model).stream()
                .filter(version -> chosen == null || version.id().equals(chosen))
                .reduce((earlier, later) -> later)
                .map(version -> new Version(version.id(), version.directory()));
    }
}
