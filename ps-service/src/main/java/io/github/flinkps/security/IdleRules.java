package io.github.flinkps.security;

import io.github.flinkps.security.AccessRules.Rule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns of rules that permit nothing, most likely by a slip. Safe for use by any thread. */
final class IdleRules {
    /** Has what names of databases and models may have, a dot between them, and {@code *}. */
    private static final Pattern POSSIBLE = Pattern.compile("[A-Za-z0-9*][A-Za-z0-9._*-]*");

    /** A database of 64 characters, a dot, and a model of 128. */
    private static final int MOST_CHARACTERS = 193;

    private static final Logger LOG = LoggerFactory.getLogger(IdleRules.class);

    private final String file;
    private final String tokenFile;
    private final boolean certificates;

    /**
     * @param file the rules are in
     * @param tokenFile tokens of clients, or null for none
     * @param certificates whether certificates name clients too
     */
    IdleRules(String file, String tokenFile, boolean certificates) {
        this.file = file;
        this.tokenFile = tokenFile;
        this.certificates = certificates;
    }

    /** Warns of those among the rules. */
    void warn(List<Rule> rules) {
        for (Rule rule : rules) {
            String models = rule.models();
            if (!POSSIBLE.matcher(models).matches()
                    || models.replace(AccessRules.EVERYBODY, "").length() > MOST_CHARACTERS) {
                LOG.warn(
                        "{} {}: line {} is for models {}, and a job cannot give such a name: it has"
                                + " letters, digits, '.', '_' and '-', begins with a letter or"
                                + " digit, and has at most {} characters",
                        AccessRules.FILE,
                        file,
                        rule.line(),
                        models,
                        MOST_CHARACTERS);
            }
        }
        if (tokenFile != null) {
            warnOfUnknown(rules);
        }
    }

    private void warnOfUnknown(List<Rule> rules) {
        Set<String> unknown = new TreeSet<>();
        rules.forEach(rule -> unknown.add(rule.client()));
        unknown.remove(AccessRules.EVERYBODY);
        try {
            unknown.removeAll(Token.namesIn(tokenFile));
        } catch (IllegalArgumentException e) {
            LOG.debug("Whose tokens are in {} is not known", tokenFile, e); // who lets in says it
            return;
        }
        if (!unknown.isEmpty()) {
            LOG.warn(
                    "{} {} has lines for {}, and {} {} has no token of that name: they permit"
                            + " nothing{}",
                    AccessRules.FILE,
                    file,
                    String.join(", ", unknown),
                    Token.FILE,
                    tokenFile,
                    certificates ? " unless a certificate has this name" : "");
        }
    }
}
