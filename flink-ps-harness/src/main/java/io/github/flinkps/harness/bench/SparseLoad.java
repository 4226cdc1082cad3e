package io.github.flinkps.harness.bench;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Pushes to, or pulls of, lists of keys: prepared once and sent before, so that only their
 * signatures travel, or each used once, so that its keys do.
 */
final class SparseLoad implements Load {
    private static final int FRESH_LISTS = 96;

    private final List<ModelSession> sessions;
    private final SparseTable table;
    private final boolean push;
    private final boolean cached;
    private final KeyList[][] prepared;
    private final int[] next;
    private final float[] gradients;
    private final float[][][] pulled;
    private final int[][] lastList;

    private SparseLoad(
            List<ModelSession> sessions,
            SparseTable table,
            boolean push,
            boolean cached,
            int slots) {
        int clients = sessions.size();
        int width = table.spec().width();
        this.sessions = sessions;
        this.table = table;
        this.push = push;
        this.cached = cached;
        int lists = cached ? Math.min(FRESH_LISTS, table.lists()) : FRESH_LISTS;
        this.prepared = new KeyList[clients][Math.max(1, lists / clients)];
        this.next = new int[clients];
        this.gradients = push ? Values.gradients(table.listKeys(), width) : null;
        this.pulled = push ? null : new float[clients][slots][table.listKeys() * width];
        this.lastList = new int[clients][push ? 0 : slots];
        if (cached) {
            prepare();
            sendKeys();
        }
    }

    static SparseLoad push(List<ModelSession> sessions, SparseTable table, boolean cached) {
        return new SparseLoad(sessions, table, true, cached, 0);
    }

    static SparseLoad pull(
            List<ModelSession> sessions, SparseTable table, boolean cached, int slots) {
        return new SparseLoad(sessions, table, false, cached, slots);
    }

    /**
     * Returns the table's list that a client uses at a turn; no two clients share one if there are
     * enough.
     */
    private int list(int client, int turn) {
        return (turn * sessions.size() + client) % table.lists();
    }

    private void prepare() {
        for (int client = 0; client < prepared.length; client++) {
            for (int turn = 0; turn < prepared[client].length; turn++) {
                prepared[client][turn] = table.keys(sessions.get(client), list(client, turn));
            }
        }
    }

    private void sendKeys() {
        float[] into = new float[table.listKeys() * width()];
        for (int client = 0; client < prepared.length; client++) {
            for (KeyList list : prepared[client]) {
                LoadDriver.await(sessions.get(client).exchange().pull(list, into).send());
            }
        }
    }

    @Override
    public String op() {
        return push ? "push" : "pull";
    }

    @Override
    public int keys() {
        return table.listKeys();
    }

    @Override
    public int width() {
        return table.spec().width();
    }

    @Override
    public CompletableFuture<Void> start(int client, int slot) {
        int turn = next[client]++ % prepared[client].length;
        int list = list(client, turn);
        KeyList keys = prepared[client][turn];
        if (push) {
            table.pushes().incrementAndGet(list);
            return sessions.get(client).exchange().push(keys, gradients, 1).send();
        }
        lastList[client][slot] = list;
        return sessions.get(client).exchange().pull(keys, pulled[client][slot]).send();
    }

    @Override
    public long startable() {
        return cached ? Long.MAX_VALUE : prepared[0].length;
    }

    @Override
    public void refill() {
        if (!cached) {
            prepare();
            Arrays.fill(next, 0);
        }
    }

    @Override
    public void verify() {
        for (int client = 0; client < sessions.size(); client++) {
            if (!push) {
                table.check(lastList[client][0], pulled[client][0]);
                continue;
            }
            ModelSession session = sessions.get(client);
            float[] into = new float[table.listKeys() * width()];
            int list = list(client, 0);
            LoadDriver.await(session.exchange().pull(table.keys(session, list), into).send());
            table.check(list, into);
        }
    }
}
