package io.github.flinkps.server;

import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.server.OwnerModel.OwnerShare;
import io.github.flinkps.server.ServerConfig.CutLimits;
import io.github.flinkps.transport.Loop;
import java.util.concurrent.Executor;

/**
 * What an owner needs for the cuts of an attempt.
 *
 * @param loop of the owner
 * @param share which owner it is
 * @param work storage, and the thread that writes
 * @param listener told what becomes of cuts
 * @param attempt whose cuts they are
 * @param limits of cuts
 */
record CutContext(
        Loop loop,
        OwnerShare share,
        CutWork work,
        CutListener listener,
        Attempt attempt,
        CutLimits limits) {
    /**
     * An attempt of a job that takes cuts.
     *
     * @param model its name
     * @param fence of the attempt
     * @param run the job over all its attempts
     * @param directory of the model
     */
    record Attempt(String model, long fence, String run, String directory) {}

    ModelStorage storage() {
        return work.storage();
    }

    Executor thread() {
        return work.thread();
    }

    CutId id(long cut) {
        return new CutId(attempt.run, attempt.fence, cut);
    }

    CutOutcomes.Name name(long cut) {
        return new CutOutcomes.Name(attempt.model, attempt.fence, cut);
    }

    /** Longest wait behind a marker, and longest time a cut may be written. */
    long holdNanos() {
        return limits.timeout().toNanos();
    }

    /** Tells this owner's files from those of other owners and servers. */
    String writer() {
        return share.server() + "-" + share.owner();
    }

    /** Says that this owner has given a cut up. */
    void failed(long cut, String reason) {
        listener.failed(name(cut), reason);
    }
}
