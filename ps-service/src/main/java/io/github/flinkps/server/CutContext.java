package io.github.flinkps.server;

import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.transport.Loop;
import java.util.concurrent.Executor;

/**
 * What an owner needs for the cuts of an attempt.
 *
 * @param loop of the owner
 * @param server index in the model's list of servers
 * @param owner index of the owner thread
 * @param work storage, and the thread that writes
 * @param listener told what becomes of cuts
 * @param model its name
 * @param fence of the attempt
 * @param run the job over all its attempts
 * @param directory of the model
 * @param holdNanos longest wait behind a marker, and longest time a cut may be written
 * @param holdBytes most bytes of pushes held
 * @param savedBytes memory for rows saved from being overwritten before they are copied, beyond
 *     which pushes wait
 */
record CutContext(
        Loop loop,
        int server,
        int owner,
        CutWork work,
        CutListener listener,
        String model,
        long fence,
        String run,
        String directory,
        long holdNanos,
        long holdBytes,
        long savedBytes) {
    ModelStorage storage() {
        return work.storage();
    }

    Executor thread() {
        return work.thread();
    }

    CutId id(long cut) {
        return new CutId(run, fence, cut);
    }

    CutOutcomes.Name name(long cut) {
        return new CutOutcomes.Name(model, fence, cut);
    }

    /** Tells this owner's files from those of other owners and servers. */
    String writer() {
        return server + "-" + owner;
    }

    /** Says that this owner has given a cut up. */
    void failed(long cut, String reason) {
        listener.failed(name(cut), reason);
    }
}
