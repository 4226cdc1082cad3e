package io.github.flinkps.flink.ml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.types.Row;

/** Copies versions into a folder, each as a whole. One task. */
final class VersionCopy implements MapFunction<Row, Long> {
    private static final long serialVersionUID = 1L;

    private final String folder;

    VersionCopy(String folder) {
        this.folder = folder;
    }

    /** The number of the version, which is there when this returns. */
    @Override
    public Long map(Row row) throws IOException {
        ModelData data = ModelData.of(row);
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
        return data.version();
    }
}
