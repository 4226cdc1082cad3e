package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.security.AccessRules;
import io.github.flinkps.security.AccessRules.Right;

/**
 * The rights of a client to a model, and whether its session has changed the model. The control
 * loop looks the rights up, and again when rules may have changed; any thread may check them.
 */
final class SessionAccess {
    private final AccessRules rules;
    private final String client;
    private final String model;
    private volatile Right right;
    private volatile boolean written;

    /**
     * @param client its name; null for one of this process or of the same keys, which may do
     *     everything
     */
    SessionAccess(AccessRules rules, String client, String model) {
        this.rules = rules;
        this.client = client;
        this.model = model;
        lookUp(rules);
    }

    /** Returns the name of the client; null for one that was not asked. */
    String client() {
        return client;
    }

    /** Returns the name of the model. */
    String model() {
        return model;
    }

    /** Notes that the session has sent what it may send again, to count once. */
    void write() {
        if (!written) {
            written = true;
        }
    }

    boolean hasWritten() {
        return written;
    }

    /** Returns what the same client may do with another model. */
    SessionAccess to(String other) {
        return new SessionAccess(rules, client, other);
    }

    /**
     * Looks up the right of the client, which may be another one by now.
     *
     * @param now the rules as they are
     */
    void lookUp(AccessRules now) {
        right = client == null ? Right.ADMINISTER : now.rightOf(client, model);
    }

    boolean permits(Right wanted) {
        Right own = right;
        return own != null && own.compareTo(wanted) >= 0;
    }

    /**
     * Lets a request pass that needs a right.
     *
     * @throws PsException FORBIDDEN
     */
    void check(Right wanted) {
        if (!permits(wanted)) {
            throw new PsException(
                    ErrorCode.FORBIDDEN,
                    "client '"
                            + client
                            + "' may not "
                            + wanted.text()
                            + " model '"
                            + model
                            + "': "
                            + rules.limit());
        }
    }
}
