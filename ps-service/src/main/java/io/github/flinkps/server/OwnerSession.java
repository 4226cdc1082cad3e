package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.security.AccessRules.Right;

/** A registration with a model as one owner thread sees it. Confined to the owner thread. */
final class OwnerSession {
    private final SessionOrder order;
    private final OwnerModel model;
    private final OwnerAttempt attempt;
    private final PlainLog plainLog;

    /**
     * A session.
     *
     * @param attempt of the worker; null for a plain client
     */
    OwnerSession(SessionOrder order, OwnerModel model, OwnerAttempt attempt) {
        this.order = order;
        this.model = model;
        this.attempt = attempt;
        this.plainLog = new PlainLog(model);
    }

    int id() {
        return order.session();
    }

    OwnerModel model() {
        return model;
    }

    int worker() {
        return order.worker();
    }

    boolean isWorker() {
        return order.worker() >= 0;
    }

    /** Returns the attempt of a worker; null for a plain client. */
    OwnerAttempt attempt() {
        return attempt;
    }

    /** Returns the log of a worker. */
    WorkerLog log() {
        return attempt.log(order.worker());
    }

    /** Returns the log of a plain client. */
    PlainLog plainLog() {
        return plainLog;
    }

    String modelName() {
        return order.model();
    }

    /** Returns whether it belongs to an attempt of a job. */
    boolean isOfAttempt() {
        return order.fence() != 0;
    }

    /** Returns whether it belongs to an attempt before that of the fence. */
    boolean isOlderThan(long newer) {
        return order.fence() != 0 && order.fence() < newer;
    }

    /**
     * Lets a request pass that needs a right; notes one that changes the model.
     *
     * @throws PsException FORBIDDEN
     */
    void check(Right wanted) {
        order.access().check(wanted);
        if (wanted == Right.TRAIN) {
            order.access().write();
        }
    }

    /** Notes that an attempt of this fence has ended it, and returns what it is told. */
    PsException replaced(ReplacedSessions others, long fence) {
        return others.add(id(), order.client(), order.access(), fence);
    }

    /** Fails what waits for its turn. */
    void end(PsException reason) {
        if (isWorker()) {
            log().failEarly(reason);
        }
    }

    /**
     * Refuses whoever has not opened the session: its number alone can be guessed.
     *
     * @throws PsException UNKNOWN_SESSION
     */
    static void checkClient(int session, long opened, long client) {
        if (opened != client) {
            throw new PsException(
                    ErrorCode.UNKNOWN_SESSION,
                    "session " + session + " is not registered here by this client");
        }
    }

    /**
     * Refuses whoever has not opened the session.
     *
     * @throws PsException UNKNOWN_SESSION
     */
    void checkClient(long client) {
        checkClient(id(), order.client(), client);
    }
}
