package io.github.flinkps.harness.machines;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.security.Authority;
import io.github.flinkps.security.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Keys of servers and of a client, in a folder of its own until they are closed. Thread-safe. */
public final class TrialKeys implements AutoCloseable {
    private static final Duration VALIDITY = Duration.ofDays(1);

    private final Path folder;

    private TrialKeys(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes keys, for a day.
     *
     * @param hosts names and addresses of all servers
     * @throws PsException if they cannot be written
     */
    public static TrialKeys create(List<String> hosts) {
        TrialKeys keys = null;
        boolean written = false;
        try {
            keys = new TrialKeys(Files.createTempDirectory("flink-ps-keys-"));
            keys.write(hosts);
            written = true;
            return keys;
        } catch (IOException e) {
            throw new PsException(ErrorCode.IO, "cannot write keys for a trial: " + e, e);
        } finally {
            if (keys != null && !written) {
                keys.close();
            }
        }
    }

    private void write(List<String> hosts) throws IOException {
        Instant now = Instant.now();
        Authority authority = Authority.create("flink-ps trial", now, VALIDITY);
        authority.identity().write(file("ca.pem"), file("ca-key.pem"));
        authority
                .server("flink-ps server", hosts, now, VALIDITY)
                .write(file("server.pem"), file("server-key.pem"));
        authority.client("trial", now, VALIDITY).write(file("client.pem"), file("client-key.pem"));
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    /** Returns the options of a server, by their keys. */
    public Map<String, String> server() {
        return Map.of(
                TlsFiles.CERTIFICATE, file("server.pem").toString(),
                TlsFiles.KEY, file("server-key.pem").toString(),
                TlsFiles.TRUST, file("ca.pem").toString());
    }

    /** Returns the options of a client, by their keys. */
    public Map<String, String> client() {
        return Map.of(
                TlsFiles.CERTIFICATE, file("client.pem").toString(),
                TlsFiles.KEY, file("client-key.pem").toString(),
                TlsFiles.TRUST, file("ca.pem").toString());
    }

    /** Returns the files of these options. */
    public static TlsFiles files(Map<String, String> options) {
        return new TlsFiles(
                options.get(TlsFiles.CERTIFICATE),
                options.get(TlsFiles.KEY),
                options.get(TlsFiles.TRUST));
    }

    /** Removes them. */
    @Override
    public void close() {
        try {
            new LocalModelStorage().delete(LocalModelStorage.path(folder));
        } catch (IOException e) {
            throw new PsException(ErrorCode.IO, "cannot remove " + folder + ": " + e, e);
        }
    }
}
