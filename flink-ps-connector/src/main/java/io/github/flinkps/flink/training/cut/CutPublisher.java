package io.github.flinkps.flink.training.cut;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutProgress;
import io.github.flinkps.model.cut.ManifestRef;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Set;

/**
 * Puts the parts of a cut together in its manifest. Travels with the job; its methods are called by
 * threads that may block.
 */
public interface CutPublisher extends Serializable {
    /**
     * Returns the directory of the model, below which cuts are kept, as the servers' storage knows
     * it.
     */
    String directory();

    /** Returns the publisher of a job, which may have a directory of its own. */
    default CutPublisher ofJob(String jobId) {
        return this;
    }

    /**
     * A cut whose parts are all durable.
     *
     * @param cut which one
     * @param barrier of its checkpoint
     * @param report what the servers say of it
     * @param base the manifest of the cut it is an increment of, null for none
     * @param workers of the attempt
     */
    record Parts(CutId cut, Barrier barrier, CutReport report, ManifestRef base, int workers) {}

    /**
     * Returns the manifest of a cut. It depends on nothing but the parts, so that all workers come
     * to the same one.
     *
     * @param write whether to write it too; one worker does
     */
    ManifestRef publish(Parts parts, boolean write) throws IOException;

    /** Notes how far a worker had trained at a cut that is durable. */
    void noteProgress(CutId cut, CutProgress progress) throws IOException;

    /** Notes for later attempts that the checkpoint of a cut is complete. */
    void complete(CutId cut) throws IOException;

    /** Returns the cuts of a run of which that was noted, in this attempt or an earlier one. */
    List<CutId> completed(String run) throws IOException;

    /**
     * Notes that checkpoints were given up of which nothing is noted: those of attempts before that
     * come after the cut this one goes on from. Savepoints are none of them.
     *
     * @param fence of this attempt
     * @param restored the cut of the run that it goes on from, or null
     */
    void abandon(String run, long fence, CutId restored) throws IOException;

    /**
     * Returns the cuts of checkpoints of attempts before of which nothing is noted then. Savepoints
     * are none of them.
     *
     * @param fence of this attempt
     */
    List<CutId> unnoted(String run, long fence) throws IOException;

    /** Returns the cuts of a run of which it was noted that their checkpoints were given up. */
    List<CutId> aborted(String run) throws IOException;

    /** Returns the cuts of a run to which a savepoint may refer that was taken after the end. */
    Set<CutId> standIns(String run) throws IOException;

    /**
     * Returns the cuts of attempts of a run behind their end that are the same model as one before.
     */
    Set<CutId> copies(String run) throws IOException;

    /**
     * Removes those of some cuts that no other needs.
     *
     * @param removable cuts of the run; those already gone are fine
     * @return those removed
     */
    List<CutId> remove(String run, List<CutId> removable) throws IOException;

    /**
     * Removes the rows that checkpoints of a run refer to, unless a savepoint may refer to them.
     *
     * @param from the first checkpoint that refers to none
     */
    void removeRows(String run, long from) throws IOException;

    /**
     * Removes what attempts before that of the fence have left of cuts that never became durable.
     */
    void sweep(String run, long fence) throws IOException;

    /**
     * Removes the cuts of checkpoints that were given up of other runs, whose jobs have ended. Does
     * so some time after it has first seen them, so that it is called again and again, by one
     * thread at a time.
     *
     * @param run of this job
     */
    void removeLeft(String run) throws IOException;
}
