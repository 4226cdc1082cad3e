package io.github.flinkps.harness.bench;

import io.github.flinkps.client.ClientSecurity;
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

/** Keys of servers and of a client, in a folder of its own until they are closed. */
final class BenchKeys implements AutoCloseable {
    private static final Duration VALIDITY = Duration.ofDays(1);

    private final Path folder;

    private BenchKeys(Path folder) {
        this.folder = folder;
    }

    static BenchKeys create() {
        BenchKeys keys = null;
        boolean written = false;
        try {
            keys = new BenchKeys(Files.createTempDirectory("flink-ps-bench-keys-"));
            keys.write();
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

    private void write() throws IOException {
        Instant now = Instant.now();
        Authority authority = Authority.create("flink-ps bench", now, VALIDITY);
        authority.identity().write(file("ca.pem"), file("ca-key.pem"));
        authority
                .server("flink-ps server", List.of(ChildProcess.HOST), now, VALIDITY)
                .write(file("server.pem"), file("server-key.pem"));
        authority.client("bench", now, VALIDITY).write(file("client.pem"), file("client-key.pem"));
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    /** Returns the options of a server. */
    Map<String, String> server() {
        return Map.of(
                TlsFiles.CERTIFICATE, file("server.pem").toString(),
                TlsFiles.KEY, file("server-key.pem").toString(),
                TlsFiles.TRUST, file("ca.pem").toString());
    }

    TlsFiles client() {
        return new TlsFiles(
                file("client.pem").toString(),
                file("client-key.pem").toString(),
                file("ca.pem").toString());
    }

    ClientSecurity security() {
        return new ClientSecurity(client(), null);
    }

    @Override
    public void close() {
        try {
            new LocalModelStorage().delete(LocalModelStorage.path(folder));
        } catch (IOException e) {
            throw new PsException(ErrorCode.IO, "cannot remove " + folder + ": " + e, e);
        }
    }
}
