package io.github.flinkps.flink.service;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.TableSpec;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * Moves models between servers and model directories. Called by one thread, which may be
 * interrupted; every wait for the servers is bounded by the session's timeout.
 */
public interface ModelArchive extends Serializable {
    /**
     * Checks that a model could be saved there, before time is spent on training it.
     *
     * @throws Exception naming the directory and what is wrong with it
     */
    void checkWritable(List<TableSpec> tables, String directory) throws Exception;

    /**
     * Stores the rows of a saved model in the tables of the same names, which exist.
     *
     * @throws IllegalArgumentException if a table's shape is another
     */
    void load(ModelSession session, List<TableSpec> tables, String directory) throws Exception;

    /**
     * Returns one that says of what it saves from now on which servers have it, so that those who
     * predict may ask them as long as nobody else has taken the model over.
     *
     * @param servers host:port of each, in order
     * @param attempt that trains it there, see {@link
     *     io.github.flinkps.client.ParameterClient#grantFence}
     */
    default ModelArchive servedBy(List<String> servers, String attempt) {
        return this;
    }

    /**
     * Writes every row of the tables beside a model directory, from where {@link
     * PendingModel#publish} moves it; a failure leaves nothing behind.
     *
     * @param withSlots also what optimizers keep beside the values, to train on later
     * @return the caller's to close
     */
    PendingModel write(
            ModelSession session, List<TableSpec> tables, String directory, boolean withSlots)
            throws Exception;

    /** Writes a model and puts it in its place at once, without facts; as {@link #write}. */
    default void save(
            ModelSession session, List<TableSpec> tables, String directory, boolean withSlots)
            throws Exception {
        save(session, tables, directory, withSlots, Map.of());
    }

    /**
     * Writes a model and puts it in its place at once; as {@link #write}.
     *
     * @param facts as of {@link PendingModel#publish}
     */
    default void save(
            ModelSession session,
            List<TableSpec> tables,
            String directory,
            boolean withSlots,
            Map<String, String> facts)
            throws Exception {
        try (PendingModel written = write(session, tables, directory, withSlots)) {
            written.publish(facts);
        }
    }
}
