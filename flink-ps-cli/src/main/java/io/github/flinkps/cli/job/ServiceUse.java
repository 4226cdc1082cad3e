package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.RunScope;
import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.flink.PsJob;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.model.LocalModelStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job's use of parameter servers: a registry of its own, and a model. A model that the command
 * has not named, or that only scores, is dropped from servers that outlive the job. This happens as
 * soon as the job has succeeded, or at the end of the scope, when the failure has been told.
 */
final class ServiceUse implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceUse.class);

    /** Characters of a given name that leave room for a number in names of at most 128. */
    private static final int MOST_OF_NAME = 90;

    private static final Duration DROP_LIMIT = Duration.ofSeconds(5);

    /** Servers may be starting, but a wrong address should be told soon. */
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

    private final ServiceChoice service;
    private final Path root;
    private final String name;
    private final boolean stays;
    private final AutoCloseable registration;
    private boolean succeeded;

    private ServiceUse(
            ServiceChoice service, Path root, String name, boolean stays, RunScope scope) {
        this.service = service;
        this.root = root;
        this.name = name;
        this.stays = stays;
        this.registration = scope.whileRunning(limit -> drop());
    }

    /**
     * Begins to use servers to score with a copy of a model.
     *
     * @throws Exception naming the remote server that cannot be reached, or does not understand
     */
    static ServiceUse toScore(ServiceChoice service, RunScope scope) throws Exception {
        greet(service);
        return new ServiceUse(
                service, scope.temporaryFolder("flink-ps-"), ownName(service), false, scope);
    }

    /**
     * Begins to use servers to train, with a registry and cuts that stay after the job.
     *
     * @param checkpoints null for none
     */
    static ServiceUse toTrain(ServiceChoice service, CheckpointChoice checkpoints, RunScope scope)
            throws Exception {
        greet(service);
        Path root = checkpoints == null ? scope.temporaryFolder("flink-ps-") : checkpoints.root();
        String unnamed =
                checkpoints != null && service.remote().isEmpty()
                        ? CheckpointChoice.MODEL
                        : ownName(service);
        String name = service.modelName().orElse(unnamed);
        return new ServiceUse(service, root, name, service.modelName().isPresent(), scope);
    }

    /** Returns a name that nobody else uses: remote servers may be those of others too. */
    private static String ownName(ServiceChoice service) {
        String given = service.modelName().orElse("run");
        String begin = given.substring(0, Math.min(given.length(), MOST_OF_NAME));
        return begin + "-" + UUID.randomUUID();
    }

    private static void greet(ServiceChoice service) throws Exception {
        if (service.remote().isEmpty()) {
            return;
        }
        Duration limit =
                service.timeout().compareTo(CONNECT_LIMIT) < 0 ? service.timeout() : CONNECT_LIMIT;
        ClientConfig config =
                ClientConfig.defaults().withSecurity(service.security()).withConnectTimeout(limit);
        try (ParameterClient client = ParameterClients.create(service.remote(), config)) {
            client.stats(limit).get(2 * limit.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    void configure(PsJob<?, ?> job) {
        job.set(PsOptions.MODEL_NAME, name).set(PsOptions.MODEL_ROOT, LocalModelStorage.path(root));
    }

    /** Notes that the job has succeeded: {@link #close} then drops what does not stay. */
    void succeeded() {
        succeeded = true;
    }

    @Override
    public void close() throws Exception {
        if (succeeded) {
            registration.close();
            drop();
        }
    }

    private void drop() {
        if (service.remote().isEmpty() || stays) {
            return;
        }
        ClientConfig config =
                ClientConfig.defaults()
                        .withSecurity(service.security())
                        .withConnectTimeout(DROP_LIMIT);
        List<ParameterClient> clients = new ArrayList<>();
        try {
            // Each server by itself: one that does not answer keeps nothing on the others.
            for (String address : service.remote()) {
                clients.add(ParameterClients.create(List.of(address), config));
            }
            CompletableFuture.allOf(
                            clients.stream().map(this::drop).toArray(CompletableFuture[]::new))
                    .get(DROP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.debug("Model {} was not dropped from {}", name, service.remote(), e);
        } finally {
            clients.forEach(ParameterClient::close);
        }
    }

    /** Drops the model as an attempt after the job's, for which the right to train will do. */
    private CompletableFuture<Void> drop(ParameterClient client) {
        return client.grantFence(name, "drop", UUID.randomUUID().toString(), DROP_LIMIT)
                .thenCompose(fence -> client.dropModel(name, fence, DROP_LIMIT));
    }
}
