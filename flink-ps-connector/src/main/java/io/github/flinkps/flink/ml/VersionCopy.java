package io.github.flinkps.flink.ml;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;

/**
 * Copies versions into a folder, each as a whole, but none that makes way for a newer one. One
 * task.
 */
final class VersionCopy implements FlatMapFunction<Row, Long> {
    private static final long serialVersionUID = 1L;

    private final String folder;

    VersionCopy(String folder) {
        this.folder = folder;
    }

    /** Emits the number of the version when it is there. */
    @Override
    public void flatMap(Row row, Collector<Long> out) throws IOException {
        ModelData data = ModelData.of(row);
        try {
            copy(data);
        } catch (IOException | UncheckedIOException e) {
            if (data.superseded()) {
                return;
            }
            throw e;
        }
        out.collect(data.version());
    }

    private void copy(ModelData data) throws IOException {
        data.check();
        Path to = Path.of(folder, Long.toString(data.version()));
        Path copy = Path.of(folder, "copy-" + UUID.randomUUID());
        Path from = Path.of(data.path());
        try {
            try (Stream<Path> all = Files.walk(from)) {
                for (Path each : (Iterable<Path>) all::iterator) {
                    Path target = copy.resolve(from.relativize(each).toString());
                    if (Files.isDirectory(each)) {
                        Files.createDirectories(target);
                    } else {
                        Files.copy(each, target);
                    }
                }
            }
            ModelData.remove(to);
            Files.move(copy, to, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            ModelData.remove(copy);
        }
    }
}
