package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.flink.service.DoneBarrier;

/**
 * A worker at the {@link DoneBarrier}. It stays there until its task ends, also after it was met:
 * whoever gave up at the very moment the last one came can so meet the others again. Belongs to the
 * task's thread.
 */
final class DoneMeeting {
    /** The worker. */
    interface Owner {
        /** Runs a mail on the task's thread. */
        void execute(ExchangePipeline.Mail mail);

        /** Returns what all learn of the worker, as {@link DoneBarrier#enter} takes it. */
        double[] told();

        /** Returns whether the worker still waits for the others or its task's end. */
        boolean attends();

        /** Tells the worker that all have met. */
        void met() throws Exception;

        /** Tells the worker that the servers have gone, maybe because all is over. */
        void missed(Throwable cause);
    }

    private final ModelSession session;
    private final int workers;
    private final String run;
    private final long fence;
    private final Owner owner;

    DoneMeeting(ModelSession session, int workers, String run, long fence, Owner owner) {
        this.session = session;
        this.workers = workers;
        this.run = run;
        this.fence = fence;
        this.owner = owner;
    }

    void enter() {
        DoneBarrier.enter(session, workers, run, fence, owner.told())
                .whenComplete((all, cause) -> owner.execute(() -> left(cause)));
    }

    private void left(Throwable cause) throws Exception {
        if (!owner.attends()) {
            return;
        }
        if (cause == null) {
            owner.met();
        }
        if (cause == null || DoneBarrier.mustEnterAgain(cause)) {
            enter();
        } else {
            owner.missed(cause);
        }
    }
}
