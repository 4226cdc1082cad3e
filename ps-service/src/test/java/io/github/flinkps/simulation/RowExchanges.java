package io.github.flinkps.simulation;

import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.FilteredPushes;
import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.Residual;
import io.github.flinkps.client.Residuals;
import io.github.flinkps.common.TableSpec;
import java.util.List;

/** The pulls and pushes by which a worker of a simulated job trains rows, and what it holds. */
final class RowExchanges {
    private final ModelSession session;
    private final int rows;
    private final Residuals residuals;
    private final FilteredPushes pushes;

    RowExchanges(ModelSession session, int rows, Retaining retaining) {
        this.session = session;
        this.rows = rows;
        List<TableSpec> tables = JobContents.tables(rows);
        this.residuals = new Residuals(tables);
        this.pushes = new FilteredPushes(session, tables, retaining.filter(), residuals);
    }

    /** Holds what a checkpoint has. */
    void restore(List<Residual> retained) {
        retained.forEach(residuals::add);
    }

    /** Returns what is retained now. */
    List<Residual> retained() {
        return residuals.save();
    }

    /** Pulls what a row needs, and which rows are visible. */
    Exchange pull(Exchange exchange, int row, float[] visible) {
        float[] adam = new float[(int) TrainedTables.ADAM.size() * 2];
        return exchange.pullRange("adam", 0, TrainedTables.ADAM.size(), adam)
                .pullRange("visible", 0, rows, visible)
                .pull(keys("shared", JobContents.sharedKey(row)), new float[2]);
    }

    private KeyList keys(String table, long key) {
        return session.keys(table, new long[] {key}, 0, 1);
    }

    /** Pushes what a row trains. */
    void push(Exchange exchange, int row, double weight) {
        exchange.pushRange("visible", row, row + 1, new float[] {1}, 1);
        TrainedTables.gradients(row).forEach(each -> push(exchange, each, weight));
        pushes.pushRange(exchange, "seen", row, 1, new float[1], new float[] {1}, weight);
        KeyList shared = keys("shared", JobContents.sharedKey(row));
        pushes.push(exchange, shared, new float[2], new float[] {1, 1}, weight);
    }

    private void push(Exchange exchange, TrainedTables.Gradients of, double weight) {
        TableSpec table = of.table();
        float[] unread = new float[of.values().length];
        if (table.isSparse()) {
            KeyList keys = keys(table.name(), of.fromKey());
            pushes.push(exchange, keys, unread, of.values(), weight);
        } else {
            pushes.pushRange(
                    exchange, table.name(), of.fromKey(), of.rows(), unread, of.values(), weight);
        }
    }

    /** Ends a mini-batch with what is retained, as {@link FilteredPushes#pushRest} does. */
    boolean pushRest(Exchange exchange) {
        return pushes.pushRest(exchange, 1);
    }
}
