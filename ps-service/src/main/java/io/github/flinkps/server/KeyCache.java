package io.github.flinkps.server;

import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Keeps the key lists that an owner thread has seen, and drops the least recently used first. A
 * client names a list by a signature that it made up itself, so that each session finds only the
 * lists which it has sent. Sessions that have sent the same keys share one list. Confined to the
 * owner thread.
 */
final class KeyCache {
    /** Memory of a name, about. */
    private static final int NAME_BYTES = 128;

    /** The name by which a session refers to a list. */
    private record Name(int session, int table, long signature) {}

    /**
     * The key under which lists are found that may be the same; only their keys say whether they
     * are.
     */
    private record Shared(OwnerTable table, long signature) {}

    /** A list, and by how many names it is known. */
    private static final class Cached {
        private final Shared shared;
        private final KeyRows rows;
        private int names;

        Cached(Shared shared, KeyRows rows) {
            this.shared = shared;
            this.rows = rows;
        }
    }

    private final KeyArrays arrays;
    private final Map<Name, Cached> names = new LinkedHashMap<>(64, 0.75f, true);
    private final Map<Shared, Cached> lists = new HashMap<>();
    private final long capacity;
    private long bytes;

    KeyCache(long capacity) {
        this.capacity = capacity;
        this.arrays = new KeyArrays(capacity / 8);
    }

    /** Returns where the arrays of lists to {@link #put} come from. */
    KeyArrays arrays() {
        return arrays;
    }

    /** Returns the list that a session has sent under a signature, or null. */
    KeyRows get(int session, OwnerTable table, long signature) {
        Cached cached = names.get(new Name(session, table.id(), signature));
        return cached != null && cached.rows.table() == table ? cached.rows : null;
    }

    /**
     * Keeps a list that a session has sent, unless it alone is more than may be kept.
     *
     * @return the list, or the one with the same keys that is known already
     */
    KeyRows put(int session, long signature, KeyRows sent) {
        Shared shared = new Shared(sent.table(), signature);
        Cached list = lists.get(shared);
        if (list != null && list.rows.hasKeysOf(sent)) {
            sent.retain();
            sent.release(); // gives its arrays back
        } else if (sent.bytes() + NAME_BYTES > capacity) {
            return sent;
        } else {
            list = share(new Cached(shared, sent));
        }
        name(new Name(session, sent.table().id(), signature), list);
        while (bytes > capacity) {
            dropOldest();
        }
        return list.rows;
    }

    private Cached share(Cached list) {
        try {
            lists.put(list.shared, list);
        } catch (Error e) {
            lists.remove(list.shared, list); // it may be in, though there is no memory for others
            throw e;
        }
        return list;
    }

    private void name(Name name, Cached list) {
        Cached before;
        try {
            before = names.put(name, list);
        } catch (Error e) {
            names.remove(name);
            if (list.names == 0) {
                lists.remove(list.shared, list);
            }
            throw e;
        }
        if (list.names++ == 0) {
            bytes += list.rows.bytes();
            list.rows.retain();
        }
        if (before == null) {
            bytes += NAME_BYTES;
        } else {
            drop(before);
        }
    }

    private void dropOldest() {
        Iterator<Cached> oldest = names.values().iterator();
        Cached dropped = oldest.next();
        oldest.remove();
        bytes -= NAME_BYTES;
        drop(dropped);
    }

    /** Takes a name from a list, which goes with its last one. */
    private void drop(Cached list) {
        if (--list.names == 0) {
            bytes -= list.rows.bytes();
            lists.remove(list.shared, list);
            list.rows.release();
        }
    }

    /** Forgets the lists of a table that is gone. */
    void remove(OwnerTable table) {
        removeIf((session, list) -> list.table() == table);
    }

    /** Forgets the lists of sessions that are over. */
    void removeSessions(Collection<Integer> over) {
        if (!over.isEmpty()) {
            removeIf((session, list) -> over.contains(session));
        }
    }

    private void removeIf(BiPredicate<Integer, KeyRows> over) {
        Iterator<Map.Entry<Name, Cached>> each = names.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Name, Cached> named = each.next();
            Cached list = named.getValue();
            if (over.test(named.getKey().session(), list.rows)) {
                each.remove();
                bytes -= NAME_BYTES;
                drop(list);
            }
        }
    }
}
