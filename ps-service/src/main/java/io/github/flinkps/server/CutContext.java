package io.github.flinkps.server;

import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.server.OwnerModel.OwnerShare;
import io.github.flinkps.server.ServerConfig.CutLimits;
import io.github.flinkps.transport.Loop;
import java.util.concurrent.Executor;

/**
 * The context that an owner needs for the cuts of an attempt.
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
    /** A time that has no end, and that a clock can be added to. */
    private static final long MOST_MILLIS = Long.MAX_VALUE / 2_000_000;

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

    /** Returns the longest time, in nanoseconds, to wait behind a marker, and to write a cut. */
    long deferNanos() {
        return Math.min(limits.timeout().toMillis(), MOST_MILLIS) * 1_000_000;
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
