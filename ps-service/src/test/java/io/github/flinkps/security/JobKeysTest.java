package io.github.flinkps.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerSecurity;
import io.github.flinkps.testing.LeakExtension;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(LeakExtension.class)
class JobKeysTest {
    private static final Duration VALIDITY = Duration.ofDays(1);

    private static JobKeys travelled(JobKeys keys) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(keys);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (JobKeys) in.readObject();
        }
    }

    @Test
    void endsOfOneJobTalkAndOthersDoNot() throws Exception {
        JobKeys job = JobKeys.create();
        JobKeys other = JobKeys.create();
        assertThat(TestingTalk.talk(job.server(false), travelled(job).client())).isTrue();
        assertThat(TestingTalk.talk(job.server(false), other.client())).isFalse();
        assertThat(TestingTalk.talk(other.server(false), job.client())).isFalse();
    }

    @Test
    void serversRefuseWhoDoesNotCheckThem() throws Exception {
        JobKeys job = JobKeys.create();
        assertThat(TestingTalk.talk(job.server(false), careless(null))).isFalse();
        Authority namesake = Authority.create("flink-ps job", Instant.now(), VALIDITY);
        assertThat(TestingTalk.talk(job.server(false), careless(namesake.peer(VALIDITY))))
                .isFalse();
    }

    @Test
    void readersKnowServersByTheirCertificateAndShowNone() throws Exception {
        JobKeys job = JobKeys.create();
        Tls reader = job.pinned().client();
        assertThat(TestingTalk.talk(job.server(true), reader)).isTrue();
        assertThat(TestingTalk.talk(job.server(true), travelled(job).client())).isTrue();
        assertThat(TestingTalk.talk(job.server(false), reader)).isFalse();
        assertThat(TestingTalk.talk(JobKeys.create().server(true), reader)).isFalse();
        Authority namesake = Authority.create("flink-ps job", Instant.now(), VALIDITY);
        assertThat(TestingTalk.talk(job.server(true), careless(namesake.peer(VALIDITY)))).isFalse();
    }

    /** Returns a client that takes every server. */
    private static Tls careless(Authority.Identity shown) {
        SslContextBuilder builder =
                SslContextBuilder.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE);
        return Tls.of(
                shown == null ? builder : builder.keyManager(shown.key(), shown.certificate()));
    }

    @Test
    void nothingThatHoldsTheKeySaysIt() {
        JobKeys job = JobKeys.create();
        ServerConfig config =
                ServerConfig.of(Map.of(), 1 << 20).withSecurity(ServerSecurity.ofPeers(job, null));
        assertThat(config.toString()).contains("keys of a job");
        assertThat(ClientSecurity.ofPeers(job).toString()).contains("peers=keys of a job,");
    }
}
