package io.github.flinkps.testing;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** A class path with a provider of a service more, as of a user's jar. */
public final class TestingServices {
    private TestingServices() {}

    /**
     * Runs work in a thread, the caller's, whose context class loader finds the provider. Threads
     * that are started by it find it for their whole life.
     *
     * @param folder for the class path; empty
     */
    public static <S, T> T with(
            Path folder, Class<S> service, Class<? extends S> provider, Callable<T> work)
            throws Exception {
        write(folder, service, provider);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            return work.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void write(Path folder, Class<?> service, Class<?> provider) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(service.getName()), provider.getName());
    }
}
