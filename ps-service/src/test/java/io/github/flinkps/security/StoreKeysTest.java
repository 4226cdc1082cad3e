package io.github.flinkps.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.testing.LeakExtension;
import io.github.flinkps.testing.TestingKeys;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@ExtendWith(LeakExtension.class)
class StoreKeysTest {
    private static final String PASSWORD = "open sesame";

    @TempDir private Path folder;

    private static StoreKeys keys(String own, String trust, String type, String... fingerprints) {
        return new StoreKeys(
                new StoreKeys.Store("keystore", own, type, PASSWORD),
                PASSWORD,
                new StoreKeys.Store("truststore", trust, type, PASSWORD),
                List.of(fingerprints));
    }

    private TestingKeys authority(String name) throws IOException {
        return new TestingKeys(Files.createDirectory(folder.resolve(name)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"JKS", "PKCS12"})
    void endsOfOneAuthorityTalkAndOthersDoNot(String type) throws Exception {
        TestingKeys here = authority("here");
        String one = here.store("one", type, PASSWORD);
        String two = here.store("two", type, PASSWORD);
        String other = authority("there").store("other", type, PASSWORD);
        Tls server = keys(one, one, type).server(false);
        assertThat(TestingTalk.talk(server, keys(two, two, type).client())).isTrue();
        assertThat(TestingTalk.talk(server, keys(other, one, type).client())).isFalse();
        assertThat(TestingTalk.talk(server, keys(one, other, type).client())).isFalse();
        assertThat(TestingTalk.talk(server, JobKeys.create().client())).isFalse();
    }

    @Test
    void aFingerprintNamesWhoIsTaken() throws Exception {
        TestingKeys here = authority("here");
        String one = here.store("one", "PKCS12", PASSWORD);
        String two = here.store("two", "PKCS12", PASSWORD);
        Tls server = keys(one, one, "PKCS12", fingerprint(two)).server(false);
        assertThat(TestingTalk.talk(server, keys(two, one, "PKCS12").client())).isTrue();
        assertThat(TestingTalk.talk(server, keys(one, one, "PKCS12").client())).isFalse();
    }

    @Test
    void readersKnowAServerByTheCertificateOfItsStore() throws Exception {
        TestingKeys here = authority("here");
        String one = here.store("one", "PKCS12", PASSWORD);
        String two = here.store("two", "PKCS12", PASSWORD);
        Tls reader = keys(one, one, "PKCS12").pinned().client();
        assertThat(TestingTalk.talk(keys(one, one, "PKCS12").server(true), reader)).isTrue();
        assertThat(TestingTalk.talk(keys(one, one, "PKCS12").server(false), reader)).isFalse();
        assertThat(TestingTalk.talk(keys(two, two, "PKCS12").server(true), reader)).isFalse();
    }

    /** Returns that of the certificate in a store, as tools write it. */
    private static String fingerprint(String file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            store.load(in, PASSWORD.toCharArray());
        }
        byte[] certificate = store.getCertificate("peer").getEncoded();
        return HexFormat.ofDelimiter(":")
                .formatHex(MessageDigest.getInstance("SHA-1").digest(certificate))
                .toUpperCase(Locale.ROOT);
    }

    @Test
    void aStoreThatIsReplacedIsReadAgain() throws Exception {
        TestingKeys here = authority("here");
        String one = here.store("one", "PKCS12", PASSWORD);
        String two = authority("there").store("two", "PKCS12", PASSWORD);
        Tls server = keys(one, one, "PKCS12").server(false);
        Tls client = keys(two, two, "PKCS12").client();
        assertThat(TestingTalk.talk(server, client)).isFalse();
        Files.copy(Path.of(two), Path.of(one), StandardCopyOption.REPLACE_EXISTING);
        assertThat(TestingTalk.talk(server, client)).isTrue();
    }

    @Test
    void whatIsWrongIsNamedAndNoPassword() throws Exception {
        String one = authority("here").store("one", "PKCS12", "another");
        assertThatThrownBy(() -> keys(one, one, "PKCS12").server(false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("keystore " + one + " cannot be used")
                .hasMessageContaining("password")
                .hasMessageNotContaining(PASSWORD);
        assertThatThrownBy(() -> keys(one + "2", one, "PKCS12").client())
                .hasMessageContaining("keystore " + one + "2 cannot be used")
                .hasMessageContaining("NoSuchFileException");
        assertThatThrownBy(() -> keys(one, one, "ROT13").client())
                .hasMessageContaining("ROT13 not found");
        assertThat(keys(one, one, "PKCS12").toString()).isEqualTo(one + ", " + one);
    }
}
