package io.github.flinkps.harness.bench;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Pushes to, or pulls of, all of a dense table. */
final class DenseLoad implements Load {
    private final List<ModelSession> sessions;
    private final Table table;
    private final boolean push;
    private final float[] gradients;
    private final float[][][] pulled;

    /** A dense table, and how often all of it was pushed to. */
    record Table(TableSpec spec, AtomicLong pushes) {
        static Table create(List<ModelSession> sessions, int floats) {
            TableSpec spec =
                    TableSpec.dense("dense-" + floats, floats, 1, UpdateSpec.sgd(Values.RATE));
            for (ModelSession session : sessions) {
                LoadDriver.await(session.createTable(spec));
            }
            return new Table(spec, new AtomicLong());
        }

        int size() {
            return (int) spec.size();
        }
    }

    private DenseLoad(List<ModelSession> sessions, Table table, boolean push, int slots) {
        this.sessions = sessions;
        this.table = table;
        this.push = push;
        this.gradients = push ? Values.gradients(table.size(), 1) : null;
        this.pulled = push ? null : new float[sessions.size()][slots][table.size()];
    }

    static DenseLoad push(List<ModelSession> sessions, Table table) {
        return new DenseLoad(sessions, table, true, 0);
    }

    static DenseLoad pull(List<ModelSession> sessions, Table table, int slots) {
        return new DenseLoad(sessions, table, false, slots);
    }

    @Override
    public String op() {
        return push ? "push" : "pull";
    }

    @Override
    public int keys() {
        return table.size();
    }

    @Override
    public int width() {
        return 1;
    }

    @Override
    public CompletableFuture<Void> start(int client, int slot) {
        String name = table.spec().name();
        if (push) {
            table.pushes().incrementAndGet();
            return sessions.get(client)
                    .exchange()
                    .pushRange(name, 0, table.size(), gradients, 1)
                    .send();
        }
        return sessions.get(client)
                .exchange()
                .pullRange(name, 0, table.size(), pulled[client][slot])
                .send();
    }

    @Override
    public long startable() {
        return Long.MAX_VALUE;
    }

    @Override
    public void refill() {
        // A range is not used up.
    }

    @Override
    public void verify() {
        String name = table.spec().name();
        long pushes = table.pushes().get();
        for (int client = 0; client < sessions.size(); client++) {
            float[] found = push ? new float[table.size()] : pulled[client][0];
            if (push) {
                LoadDriver.await(
                        sessions.get(client)
                                .exchange()
                                .pullRange(name, 0, table.size(), found)
                                .send());
            }
            Values.check(name, found, table.size(), 1, pushes);
        }
    }
}
