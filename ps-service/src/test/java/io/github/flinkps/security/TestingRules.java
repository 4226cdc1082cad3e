package io.github.flinkps.security;

import io.github.flinkps.security.AccessRules.Right;
import io.github.flinkps.security.AccessRules.Rule;
import java.util.List;
import java.util.regex.Pattern;

/** Rules that a test changes, and that cannot be read when it says so. */
public final class TestingRules {
    private List<Rule> now = List.of();
    private Error failure;

    /** Lets everybody do this with all models, and nothing else. */
    public void permit(Right right) {
        now = List.of(new Rule(1, AccessRules.EVERYBODY, right, "*", Pattern.compile(".*")));
    }

    /** Lets nobody do anything. */
    public void permitNothing() {
        now = List.of();
    }

    /** Lets the next reading fail. */
    public void failOnce(Error with) {
        failure = with;
    }

    /** Returns the rules, as they are whenever they are read. */
    public AccessRules rules() {
        return new AccessRules(this::read, null);
    }

    private List<Rule> read() {
        Error thrown = failure;
        failure = null;
        if (thrown != null) {
            throw thrown;
        }
        return now;
    }
}
