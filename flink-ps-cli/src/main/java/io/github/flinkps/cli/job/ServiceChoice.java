package io.github.flinkps.cli.job;

import io.github.flinkps.client.ClientSecurity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Says which servers hold the model.
 *
 * @param servers number of servers inside the job; not used where there are remote ones
 * @param remote addresses of servers that run already; empty: inside the job
 * @param modelName of the model on remote ones
 * @param security how remote ones are reached
 * @param timeout the longest wait for a server or a worker
 */
public record ServiceChoice(
        int servers,
        List<String> remote,
        Optional<String> modelName,
        ClientSecurity security,
        Duration timeout) {
    public ServiceChoice {
        remote = List.copyOf(remote);
    }

    /** Returns the number of servers, whether remote or inside the job. */
    public int count() {
        return remote.isEmpty() ? servers : remote.size();
    }

    /** Returns the number of servers inside the job; 0 if they are remote. */
    int embedded() {
        return remote.isEmpty() ? servers : 0;
    }
}
