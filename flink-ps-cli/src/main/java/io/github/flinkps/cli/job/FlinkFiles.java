package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.PluginUtils;

/**
 * The file systems that Flink's own client has too: those of its plug-ins, and as its configuration
 * says, where {@code FLINK_PLUGINS_DIR} and {@code FLINK_CONF_DIR} are set. Thread-safe.
 */
public final class FlinkFiles {
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final String UNREACHED =
            "model-root cannot be reached by FLINK_PLUGINS_DIR and FLINK_CONF_DIR: ";
    private static boolean initialized;

    private FlinkFiles() {}

    /**
     * Returns the storage of models and cuts by path or URI, of a process that is set up for it.
     *
     * @throws CommandException if Flink's configuration cannot be read
     */
    public static synchronized ModelStorage storage() {
        if (!initialized) {
            initialize();
            initialized = true;
        }
        return new FlinkModelStorage();
    }

    /**
     * Returns it when it has reached a store, which has half a minute to answer.
     *
     * @param root directory there
     * @throws IllegalArgumentException with the reason, if it cannot
     */
    public static ModelStorage reaching(String root) throws InterruptedException {
        return reaching(storage(), root, ANSWER);
    }

    static ModelStorage reaching(ModelStorage storage, String root, Duration limit)
            throws InterruptedException {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread asking =
                new Thread(
                        () -> {
                            try {
                                answer.complete(storage.exists(root));
                            } catch (IOException | RuntimeException e) {
                                answer.completeExceptionally(e);
                            }
                        },
                        "flink-ps-model-root");
        asking.setDaemon(true);
        asking.start();
        try {
            boolean unused = answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new IllegalArgumentException(UNREACHED + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            asking.interrupt();
            throw new IllegalArgumentException(
                    UNREACHED
                            + "no answer within "
                            + limit.toSeconds()
                            + " s; look at the endpoint and the credentials of the store",
                    e);
        }
        return storage;
    }

    private static void initialize() {
        try {
            Configuration configuration = GlobalConfiguration.loadConfiguration();
            FileSystem.initialize(
                    configuration, PluginUtils.createPluginManagerFromRootFolder(configuration));
        } catch (IllegalConfigurationException e) {
            throw new CommandException("FLINK_CONF_DIR: " + e.getMessage(), e);
        }
    }

    /**
     * Returns a URI as it is; a path from the root, so that it names the same wherever it is said.
     */
    public static String absolute(String path) {
        try {
            boolean uri = path.matches("[A-Za-z][A-Za-z0-9+.-]*:/.*");
            return uri ? path : Path.of(path).toAbsolutePath().normalize().toString();
        } catch (InvalidPathException e) {
            throw new CommandException("'" + path + "' is no path", e);
        }
    }
}
