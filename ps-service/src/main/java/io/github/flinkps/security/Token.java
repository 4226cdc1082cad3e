package io.github.flinkps.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Tokens of a file, by the names of those who have them: lines {@code NAME:TOKEN}; empty lines and
 * those that begin with {@code #} say nothing. A server's file has a line for each client, a
 * client's file its own. Safe for use by any thread.
 */
public final class Token {
    public static final String FILE = "token-file";

    /** The most bytes of a line. */
    public static final int MOST_BYTES = 4096;

    /** The mark that some editors begin a file with. */
    private static final String BYTE_ORDER = "\uFEFF";

    private static final int LEAST_CHARACTERS = 16;

    private final FileValue<Map<String, String>> lines;

    private Token(FileValue<Map<String, String>> lines) {
        this.lines = lines;
    }

    /**
     * Returns the tokens of a server's file. When it has no line any more there are none.
     *
     * @throws IllegalArgumentException if the file is wrong
     */
    public static Token ofServer(String file) {
        return ofServer(file, System::nanoTime);
    }

    static Token ofServer(String file, LongSupplier nanoTime) {
        return new Token(
                new FileValue<>(
                        List.of(Path.of(file)),
                        () -> {
                            Map<String, String> read = parse(file);
                            SecretFile.warnIfOpen(FILE, Path.of(file));
                            return read;
                        },
                        Map::of,
                        nanoTime));
    }

    /**
     * Returns the one token of a client's file.
     *
     * @throws IllegalArgumentException if the file is wrong, or has more of them
     */
    public static Token ofClient(String file) {
        return new Token(
                new FileValue<>(
                        List.of(Path.of(file)),
                        () -> {
                            Map<String, String> read = parse(file);
                            if (read.size() != 1) {
                                throw wrong(
                                        file,
                                        "has "
                                                + read.size()
                                                + " tokens: a client's file has its own only");
                            }
                            SecretFile.warnIfOpen(FILE, Path.of(file));
                            return read;
                        }));
    }

    /**
     * Returns the names of those who have a token of a server's file as it is now.
     *
     * @throws IllegalArgumentException if the file is wrong
     */
    public static Set<String> namesIn(String file) {
        return parse(file).keySet();
    }

    private static Map<String, String> parse(String file) {
        Map<String, String> found = new LinkedHashMap<>();
        Set<String> tokens = new HashSet<>();
        Path path = Path.of(file);
        int number = 0;
        try {
            if (Files.size(path) > 1 << 20) {
                throw wrong(file, "is larger than 1 MiB");
            }
            for (String read : Files.readAllLines(path, StandardCharsets.UTF_8)) {
                number++;
                boolean marked = number == 1 && read.startsWith(BYTE_ORDER);
                String line = marked ? read.substring(1) : read;
                if (!line.isBlank() && !line.startsWith("#")) {
                    add(found, tokens, line.strip(), file, number);
                }
            }
        } catch (NoSuchFileException e) {
            throw new FileValue.NothingThere(FILE + " " + file + " cannot be read", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(FILE + " " + file + " cannot be read", e);
        }
        if (found.isEmpty()) {
            throw new FileValue.NothingThere(FILE + " " + file + ": has no line NAME:TOKEN", null);
        }
        return found;
    }

    /**
     * Adds what a line says.
     *
     * @param found tokens by the names of those who have them
     * @param tokens of the lines before it
     */
    private static void add(
            Map<String, String> found, Set<String> tokens, String line, String file, int number) {
        int colon = line.indexOf(':');
        String where = "line " + number;
        if (colon < 1) {
            throw wrong(file, where + " is not NAME:TOKEN");
        }
        // Neither part is shown: who mixes them up has a token on the left.
        String name = line.substring(0, colon);
        if (name.equals(AccessRules.EVERYBODY)) {
            throw wrong(
                    file,
                    where + ": nobody can be named " + name + ", which means everybody in rules");
        }
        String token = line.substring(colon + 1);
        if (token.length() < LEAST_CHARACTERS
                || line.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw wrong(
                    file,
                    where
                            + ", NAME:TOKEN: the token must have at least "
                            + LEAST_CHARACTERS
                            + " characters, and the line at most "
                            + MOST_BYTES
                            + " bytes");
        }
        if (found.put(name, token) != null) {
            throw wrong(file, where + " names a client of a line before it a second time");
        }
        if (!tokens.add(token)) {
            throw wrong(file, where + " has the token of a line before it");
        }
    }

    private static IllegalArgumentException wrong(String file, String how) {
        return new IllegalArgumentException(FILE + " " + file + ": " + how);
    }

    /** Returns the line of a client's file, to be shown to a server inside TLS. */
    public byte[] credential() {
        Map.Entry<String, String> own = lines.get().entrySet().iterator().next();
        return (own.getKey() + ':' + own.getValue()).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Looks whether the file has changed. Call it each second, so that no token counts too long.
     */
    public void look() {
        lines.get();
    }

    /**
     * Returns the name of who has shown a line, or null if the line is none of the file's. Takes
     * the same time whatever of a token is right.
     */
    public String nameOf(byte[] credential) {
        String line = new String(credential, StandardCharsets.UTF_8);
        int colon = Math.max(0, line.indexOf(':'));
        String name = line.substring(0, colon);
        String token = lines.get().get(name);
        boolean same =
                MessageDigest.isEqual(
                        digest(token == null ? "" : token),
                        digest(line.substring(Math.min(line.length(), colon + 1))));
        return token != null && same ? name : null;
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
