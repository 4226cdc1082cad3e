package io.github.flinkps.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.security.JobKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateKeysTest {
    @Test
    void thoseOfAJobAreFoundInAnyForm(@TempDir Path folder) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
            objects.writeObject(JobKeys.create());
        }
        byte[] keys = out.toByteArray();
        for (int before = 0; before < 3; before++) {
            byte[] shifted = PrivateKeys.behind(before, keys);
            assertThat(PrivateKeys.areIn(shifted)).isTrue();
            assertThat(areIn(HexFormat.of().formatHex(shifted))).isTrue();
            assertThat(areIn(HexFormat.of().withUpperCase().formatHex(shifted))).isTrue();
            assertThat(areIn(Base64.getEncoder().encodeToString(shifted))).isTrue();
        }
        Path file = Files.write(Files.createDirectories(folder.resolve("a/b")).resolve("c"), keys);
        Files.writeString(folder.resolve("d"), "fingerprint");
        assertThat(PrivateKeys.below(folder)).containsExactly(file);
    }

    private static boolean areIn(String text) {
        return PrivateKeys.areIn(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** A registry has the certificate, by which a client knows the servers of a job. */
    @Test
    void aCertificateIsNone() throws IOException {
        assertThat(areIn(JobKeys.create().pinned().fingerprints().toString())).isFalse();
    }
}
