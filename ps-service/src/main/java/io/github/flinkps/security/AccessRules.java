package io.github.flinkps.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Says what clients may do with models: lines {@code CLIENT RIGHT MODELS} of a file. {@code CLIENT}
 * is the name of a token, the common name of a certificate, or {@code *} for everybody who is let
 * in; {@code MODELS} a name in which {@code *} stands for any characters. What no line permits is
 * forbidden. Empty lines and those that begin with {@code #} say nothing. Safe for use by any
 * thread.
 */
public final class AccessRules {
    public static final String FILE = "acl-file";

    /** Stands for everybody who is let in, so that nobody has this name. */
    public static final String EVERYBODY = "*";

    /** The rights to a model; each right includes those before it. */
    public enum Right {
        /** Permits to pull, scan, aggregate and describe. */
        READ,
        /** Permits to create, load, push, and all else that a job does with its own model. */
        TRAIN,
        /** Permits to drop tables and models of others. */
        ADMINISTER;

        /** Returns the word for it, as files and messages have it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Holds what a line of the file says.
     *
     * @param line its number
     */
    record Rule(int line, String client, Right right, String models, Pattern pattern) {
        boolean isFor(String who, String model) {
            return (client.equals(EVERYBODY) || client.equals(who))
                    && pattern.matcher(model).matches();
        }
    }

    /** The rules of the file; null where everybody has the same right. */
    private final Supplier<List<Rule>> rules;

    private final Right same;

    AccessRules(Supplier<List<Rule>> rules, Right same) {
        this.rules = rules;
        this.same = same;
    }

    /** Returns rules by which everybody who is let in may do everything. */
    public static AccessRules none() {
        return new AccessRules(null, Right.ADMINISTER);
    }

    /** Returns rules by which everybody who is let in may read. */
    public static AccessRules ofReaders() {
        return new AccessRules(null, Right.READ);
    }

    /**
     * Returns the rules of a file, which is read again when it has changed. When it has no line any
     * more, nobody may do anything. Each time that it is read, rules that permit nothing are warned
     * of.
     *
     * @param tokenFile tokens of clients, or null for none
     * @param certificates whether certificates name clients too
     * @throws IllegalArgumentException naming the file and the line that is wrong
     */
    public static AccessRules ofFile(String file, String tokenFile, boolean certificates) {
        return ofFile(file, tokenFile, certificates, System::nanoTime);
    }

    static AccessRules ofFile(
            String file, String tokenFile, boolean certificates, LongSupplier nanoTime) {
        IdleRules idle = new IdleRules(file, tokenFile, certificates);
        FileValue<List<Rule>> rules =
                new FileValue<>(
                        List.of(Path.of(file)),
                        () -> {
                            List<Rule> found = read(file);
                            idle.warn(found);
                            return found;
                        },
                        List::of,
                        nanoTime);
        return new AccessRules(rules::get, null);
    }

    private static List<Rule> read(String file) {
        List<Rule> found = new ArrayList<>();
        try {
            if (Files.size(Path.of(file)) > 1 << 20) {
                throw wrong(file, "is larger than 1 MiB");
            }
            int number = 0;
            for (String line : Files.readAllLines(Path.of(file), StandardCharsets.UTF_8)) {
                number++;
                if (!line.isBlank() && !line.startsWith("#")) {
                    found.add(rule(line.strip().split("\\s+"), file, number, found));
                }
            }
        } catch (NoSuchFileException e) {
            throw new FileValue.NothingThere(FILE + " " + file + " cannot be read", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(FILE + " " + file + " cannot be read", e);
        }
        if (found.isEmpty()) {
            throw new FileValue.NothingThere(
                    FILE
                            + " "
                            + file
                            + ": has no line CLIENT RIGHT MODELS, so that nobody may do anything",
                    null);
        }
        return found;
    }

    private static Rule rule(String[] words, String file, int number, List<Rule> before) {
        String where = "line " + number;
        if (words.length < 3) {
            throw wrong(file, where + " is not CLIENT RIGHT MODELS");
        }
        String client = String.join(" ", Arrays.copyOf(words, words.length - 2));
        String word = words[words.length - 2];
        String models = words[words.length - 1];
        Right right =
                Arrays.stream(Right.values())
                        .filter(each -> each.text().equals(word))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        wrong(
                                                file,
                                                where
                                                        + ": a right is read, train or administer,"
                                                        + " not '"
                                                        + word
                                                        + "'"));
        for (Rule rule : before) {
            if (rule.client().equals(client) && rule.models().equals(models)) {
                throw wrong(file, where + " names " + client + " and " + models + " a second time");
            }
        }
        String pattern =
                Arrays.stream(models.split("\\*", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*"));
        return new Rule(number, client, right, models, Pattern.compile(pattern, Pattern.DOTALL));
    }

    private static IllegalArgumentException wrong(String file, String how) {
        return new IllegalArgumentException(FILE + " " + file + ": " + how);
    }

    /** Returns whether there are rules, which may change. */
    public boolean areAny() {
        return rules != null;
    }

    /** Returns the reason, for messages, why a client has no more rights than it has. */
    public String limit() {
        return rules == null
                ? "clients with a token may only read"
                : "the server's " + FILE + " has no such line";
    }

    /**
     * Returns the rules as the file has them now: for many questions at a time, it is looked at
     * once.
     */
    public AccessRules now() {
        if (rules == null) {
            return this;
        }
        List<Rule> read = rules.get();
        return new AccessRules(() -> read, same);
    }

    /** Returns the highest right of a client to a model, or null if it has none. */
    public Right rightOf(String client, String model) {
        if (rules == null) {
            return same;
        }
        Right highest = null;
        for (Rule rule : rules.get()) {
            if (rule.isFor(client, model)
                    && (highest == null || highest.compareTo(rule.right()) < 0)) {
                highest = rule.right();
            }
        }
        return highest;
    }
}
