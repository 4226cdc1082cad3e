package io.github.flinkps.flink.serving;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.EmbeddedServer;
import io.github.flinkps.flink.service.LocalServerBackend;
import io.github.flinkps.flink.service.TaskHost;
import io.github.flinkps.transport.ConnectionLimits;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Saved models in the memory of this process, each once however many use it: in a parameter server
 * of its own, which answers as one that trains does. Thread-safe; loading one does not hold up the
 * others.
 */
final class LoadedModels {
    private static final Map<ModelLocator.Version, LoadedModel> LOADED = new HashMap<>();
    private static final String NAME = "version";

    private LoadedModels() {}

    /** A model in memory, and how many use it. */
    private static final class LoadedModel {
        private int users;
        private EmbeddedServer server;
    }

    /**
     * Returns a connection to a version of a model, which is loaded if it is not in memory.
     *
     * @param model of the algorithm that was trained
     * @return the caller's to close
     */
    static ServedModel open(TrainingModel model, ModelLocator.Version version, Duration timeout)
            throws ServingException {
        LoadedModel loaded;
        synchronized (LOADED) {
            loaded = LOADED.computeIfAbsent(version, any -> new LoadedModel());
            loaded.users++;
        }
        try {
            synchronized (loaded) {
                if (loaded.server == null) {
                    loaded.server = load(model, version.directory(), timeout);
                }
            }
            return ServedModel.connect(
                    List.of(loaded.server.address()),
                    ClientSecurity.NONE,
                    ConnectionLimits.PEER_TIMEOUT,
                    NAME,
                    "",
                    timeout,
                    () -> release(version, loaded));
        } catch (ServingException | RuntimeException e) {
            release(version, loaded);
            throw e;
        }
    }

    private static void release(ModelLocator.Version version, LoadedModel loaded) {
        synchronized (LOADED) {
            if (--loaded.users > 0) {
                return;
            }
            LOADED.remove(version, loaded);
        }
        synchronized (loaded) {
            if (loaded.server != null) {
                loaded.server.close();
            }
        }
    }

    private static EmbeddedServer load(TrainingModel model, String directory, Duration timeout)
            throws ServingException {
        LocalServerBackend backend = new LocalServerBackend();
        EmbeddedServer server =
                backend.startServer(0, 0, TaskHost.ofMachine(Runtime.getRuntime().maxMemory() / 4));
        boolean done = false;
        try (ParameterClient client =
                        ServedModel.client(
                                List.of(server.address()),
                                ClientSecurity.NONE,
                                ConnectionLimits.PEER_TIMEOUT,
                                timeout);
                ModelSession session = ServedModel.session(client, NAME, timeout)) {
            for (TableSpec table : model.tables()) {
                ServingException.await(
                        session.createTable(table), timeout, "making table " + table.name());
            }
            new ArrowModelArchive(NAME, model.name(), model.options(), "")
                    .load(session, model.tables(), directory);
            done = true;
            return server;
        } catch (ServingException e) {
            throw e;
        } catch (Exception e) {
            throw new ServingException(
                    "the model in " + directory + " cannot be loaded: " + e.getMessage(), e);
        } finally {
            if (!done) {
                server.close();
            }
        }
    }

    /** Returns the number of models in memory. */
    static int count() {
        synchronized (LOADED) {
            return LOADED.size();
        }
    }
}
