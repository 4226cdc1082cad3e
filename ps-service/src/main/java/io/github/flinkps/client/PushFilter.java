package io.github.flinkps.client;

import io.github.flinkps.common.TableSpec;
import java.io.Serializable;

/**
 * Stands between the gradients of a worker's mini-batches and their pushes, and decides for each
 * row whether what has come together for it is sent now. What is retained is the worker's residual:
 * it is added to the next update of the same key, is part of the worker's checkpoints, and is sent
 * in any case when training ends ({@link FilteredPushes}).
 *
 * <p>Must be a pure function of what it is shown, as a {@code TrainingModel} is: then a job that
 * fails and goes on retains and sends the same, and no update is lost or counted twice. An instance
 * belongs to one thread and is called once per table and mini-batch.
 */
@FunctionalInterface
public interface PushFilter extends Serializable {
    /** Calls {@link Rows#retain} for each row that is not to be sent now. */
    void filter(Rows rows);

    /** Returns a filter that retains what this one or another does. */
    default PushFilter or(PushFilter other) {
        return rows -> {
            filter(rows);
            other.filter(rows);
        };
    }

    /**
     * The rows of a table that a mini-batch touches. Arrays belong to the worker, may be longer
     * than what they hold, must not be changed and are valid during the call.
     */
    interface Rows {
        /** Returns the table. */
        TableSpec table();

        /** Returns how many rows there are, each under a key of its own. */
        int count();

        /** Returns the key of a row. */
        long key(int row);

        /** Returns the rows as they were pulled, {@code table().width()} values each. */
        float[] values();

        /**
         * Returns what would be pushed, in the shape of {@link #values}: per row the sum of the
         * mini-batch's gradients and of what was retained for the key before.
         */
        float[] updates();

        /** Returns the sum of the weights of the mini-batch's rows. */
        double weight();

        /** Returns the number of mini-batches that this worker finished before. */
        long clock();

        /** Does not send a row now, unless that would make the push longer. */
        void retain(int row);
    }
}
