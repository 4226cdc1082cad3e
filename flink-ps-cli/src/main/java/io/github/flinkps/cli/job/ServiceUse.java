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
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job's use of parameter servers: a registry of its own, and a model name of its own, which is
 * dropped from servers that outlive the job: as soon as the job has succeeded, or at the end of the
 * scope, when the failure has been told.
 */
final class ServiceUse implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceUse.class);
    private static final Duration DROP_LIMIT = Duration.ofSeconds(5);

    /** Servers may be starting, but a wrong address should be told soon. */
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

    private final ServiceChoice service;
    private final Path root;
    private final String name;
    private final AutoCloseable registration;
    private boolean succeeded;

    private ServiceUse(ServiceChoice service, CheckpointChoice checkpoints, RunScope scope)
            throws Exception {
        this.service = service;
        this.root = checkpoints == null ? scope.temporaryFolder("flink-ps-") : checkpoints.root();
        // Servers that are remote may be those of others too.
        this.name =
                checkpoints != null && service.remote().isEmpty()
                        ? CheckpointChoice.MODEL
                        : "run-" + UUID.randomUUID();
        this.registration = scope.whileRunning(limit -> drop());
    }

    /**
     * Begins to use servers.
     *
     * @throws Exception naming the remote server that cannot be reached, or does not understand
     */
    static ServiceUse begin(ServiceChoice service, RunScope scope) throws Exception {
        return begin(service, null, scope);
    }

    /**
     * Begins to use servers, with a registry and cuts that stay after the job.
     *
     * @param checkpoints null for none
     */
    static ServiceUse begin(ServiceChoice service, CheckpointChoice checkpoints, RunScope scope)
            throws Exception {
        if (!service.remote().isEmpty()) {
            greet(service);
        }
        return new ServiceUse(service, checkpoints, scope);
    }

    private static void greet(ServiceChoice service) throws Exception {
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

    /** Notes that the job has succeeded: {@link #close} then drops its model at remote servers. */
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
        if (service.remote().isEmpty()) {
            return;
        }
        try (ParameterClient client =
                ParameterClients.create(
                        service.remote(),
                        ClientConfig.defaults()
                                .withSecurity(service.security())
                                .withConnectTimeout(DROP_LIMIT))) {
            client.dropModel(name, DROP_LIMIT).get(DROP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.debug("Model {} was not dropped from {}", name, service.remote(), e);
        }
    }
}
