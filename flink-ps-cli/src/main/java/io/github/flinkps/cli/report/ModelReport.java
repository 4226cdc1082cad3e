package io.github.flinkps.cli.report;

import io.github.flinkps.cli.job.SavedModel;

/**
 * A saved model.
 *
 * @param path absolute
 * @param parameters values of all tables
 * @param bytes of all files but the manifest
 */
public record ModelReport(String path, long parameters, long bytes) {
    public static ModelReport of(SavedModel model) {
        return new ModelReport(
                model.directory().toString(),
                model.manifest().parameters(),
                model.manifest().bytes());
    }
}
