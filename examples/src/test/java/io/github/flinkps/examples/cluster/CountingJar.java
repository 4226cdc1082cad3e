package io.github.flinkps.examples.cluster;

import io.github.flinkps.flink.algorithm.TrainingModelFactory;
import io.github.flinkps.flink.testing.CountingModel;
import io.github.flinkps.flink.testing.ForwardingModel;
import io.github.flinkps.flink.testing.TestingFailures;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Makes the jar by which SQL on a real cluster finds the models that count rows. */
final class CountingJar {
    private static final List<Class<?>> TYPES =
            List.of(
                    CountingModel.class,
                    TestingFailures.class,
                    ForwardingModel.class,
                    PacedCountingModel.class);

    private static final List<Class<?>> FACTORIES =
            List.of(CountingModel.Factory.class, PacedCountingModel.Factory.class);

    private CountingJar() {}

    /**
     * Writes the jar.
     *
     * @param lib folder of jars of a Flink
     */
    static void addTo(Path lib) throws IOException {
        try (OutputStream file = Files.newOutputStream(lib.resolve("counting-model.jar"));
                JarOutputStream jar = new JarOutputStream(file)) {
            for (Class<?> type : TYPES) {
                addClasses(type, jar);
            }
            jar.putNextEntry(
                    new JarEntry("META-INF/services/" + TrainingModelFactory.class.getName()));
            for (Class<?> factory : FACTORIES) {
                jar.write((factory.getName() + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** Adds a class and all that are nested in it. */
    private static void addClasses(Class<?> type, JarOutputStream jar) throws IOException {
        String entry = type.getName().replace('.', '/') + ".class";
        try (InputStream bytes = type.getClassLoader().getResourceAsStream(entry)) {
            jar.putNextEntry(new JarEntry(entry));
            bytes.transferTo(jar);
        }
        for (Class<?> nested : type.getDeclaredClasses()) {
            addClasses(nested, jar);
        }
    }
}
