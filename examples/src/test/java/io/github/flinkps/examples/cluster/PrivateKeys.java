package io.github.flinkps.examples.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Looks for private keys as those of jobs are: of the curve P-256, in PKCS #8. */
final class PrivateKeys {
    /**
     * The algorithm and the curve of a key, and the tag of what follows them, which is another in a
     * certificate.
     */
    private static final byte[] MARK =
            HexFormat.of().parseHex("06072a8648ce3d020106082a8648ce3d03010704");

    private static final List<String> FORMS = forms();

    private PrivateKeys() {}

    private static List<String> forms() {
        String hex = HexFormat.of().formatHex(MARK);
        List<String> forms =
                new ArrayList<>(
                        List.of(
                                new String(MARK, StandardCharsets.ISO_8859_1),
                                hex,
                                hex.toUpperCase(Locale.ROOT),
                                "PRIVATE KEY"));
        for (int before = 0; before < 3; before++) {
            byte[] shifted = new byte[before + MARK.length];
            System.arraycopy(MARK, 0, shifted, before, MARK.length);
            String text = Base64.getEncoder().withoutPadding().encodeToString(shifted);
            // The characters at both ends are of other bytes too.
            forms.add(text.substring(before == 0 ? 0 : before + 1, text.length() - 1));
        }
        return forms;
    }

    static boolean areIn(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return FORMS.stream().anyMatch(text::contains);
    }

    /** Returns the files below a folder that have one. */
    static List<Path> below(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> found = new ArrayList<>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (areIn(Files.readAllBytes(file))) {
                    found.add(file);
                }
            }
            return found;
        }
    }

    /** Returns bytes behind others, for a test of this. */
    static byte[] behind(int others, byte[] bytes) {
        byte[] all = new byte[others + bytes.length];
        Arrays.fill(all, (byte) 'x');
        System.arraycopy(bytes, 0, all, others, bytes.length);
        return all;
    }
}
