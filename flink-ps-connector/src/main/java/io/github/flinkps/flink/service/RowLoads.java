package io.github.flinkps.flink.service;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.common.StepCounts;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.RowBlock;
import io.github.flinkps.server.update.UpdateFunctions;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rows being loaded into a table, a few blocks under way at a time. One thread. */
final class RowLoads {
    private static final Logger LOG = LoggerFactory.getLogger(RowLoads.class);
    private static final int UNDER_WAY = 4;

    private final ModelSession session;
    private final TableSpec table;
    private final boolean slots;
    private final ArrayDeque<CompletableFuture<Void>> underWay = new ArrayDeque<>();

    /** The partition of the last block, or negative. */
    private int last = -1;

    RowLoads(ModelSession session, TableSpec table, boolean slots) {
        this.session = session;
        this.table = table;
        this.slots = slots;
    }

    /**
     * Returns whether what was kept beside saved values is of use to a table: it is to the
     * optimizer that kept it. Says in the log where it is left out.
     *
     * @param from where it was saved, for the log
     */
    static boolean takesSlots(TableSpec saved, TableSpec table, String from) {
        String before = saved.update().name();
        String now = table.update().name();
        if (!before.equals(now)) {
            LOG.info(
                    "Table {} begins with the values of {} alone: what {} kept beside them is left"
                            + " out, as {} trains it now",
                    table.name(),
                    from,
                    before,
                    now);
        }
        return before.equals(now);
    }

    /**
     * Sends a copy of a block to the servers, as the reader uses the block's arrays again. Waits
     * for the oldest load if there are {@link #UNDER_WAY} already.
     */
    void add(int partition, StepCounts steps, RowBlock block) {
        int values = block.rows() * table.width();
        float[][] copied = new float[slots ? block.slots().length : 0][];
        for (int i = 0; i < copied.length; i++) {
            copied[i] = Arrays.copyOf(block.slots()[i], values);
        }
        send(
                new RowChunk(
                        partition,
                        Arrays.copyOf(block.keys(), block.rows()),
                        Arrays.copyOf(block.values(), values),
                        copied,
                        steps,
                        RowChunk.END));
    }

    /**
     * Ends a partition. One from which no block came is told its steps all the same: schedules go
     * by them where rows are born later.
     */
    void endPartition(int partition, StepCounts steps) {
        if (slots && last != partition && steps.steps() > 0) {
            float[][] none = new float[UpdateFunctions.create(table.update()).slots()][0];
            send(new RowChunk(partition, new long[0], new float[0], none, steps, RowChunk.END));
        }
    }

    private void send(RowChunk chunk) {
        if (underWay.size() == UNDER_WAY) {
            awaitOldest();
        }
        underWay.add(session.load(table.name(), chunk));
        last = chunk.partition();
    }

    private void awaitOldest() {
        ArrowModelArchive.await(underWay.remove(), "loading table '" + table.name() + "'");
    }

    void finish() {
        while (!underWay.isEmpty()) {
            awaitOldest();
        }
    }
}
