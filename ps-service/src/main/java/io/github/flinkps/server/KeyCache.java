package io.github.flinkps.server;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Key lists seen by an owner thread, least recently used first out. Confined to the owner thread.
 */
final class KeyCache {
    private record Name(OwnerTable table, long signature) {}

    private final KeyArrays arrays;
    private final Map<Name, KeyRows> lists = new LinkedHashMap<>(64, 0.75f, true);
    private final long capacity;
    private long bytes;

    KeyCache(long capacity) {
        this.capacity = capacity;
        this.arrays = new KeyArrays(capacity / 8);
    }

    /** For the lists to {@link #put}. */
    KeyArrays arrays() {
        return arrays;
    }

    /** The list of a signature, or null; also null when its length is not the one expected. */
    KeyRows get(OwnerTable table, long signature, int count) {
        KeyRows rows = lists.get(new Name(table, signature));
        return rows != null && rows.count() == count ? rows : null;
    }

    void put(long signature, KeyRows rows) {
        Name name = new Name(rows.table(), signature);
        rows.retain();
        bytes += rows.bytes();
        KeyRows before;
        try {
            before = lists.put(name, rows);
        } catch (Error e) {
            lists.remove(name); // it may be in, though there is no memory for others
            drop(rows);
            throw e;
        }
        if (before != null) {
            drop(before);
        }
        Iterator<KeyRows> oldest = lists.values().iterator();
        while (bytes > capacity && lists.size() > 1) {
            KeyRows dropped = oldest.next();
            oldest.remove();
            drop(dropped);
        }
    }

    private void drop(KeyRows rows) {
        bytes -= rows.bytes();
        rows.release();
    }

    /** Forgets the lists of a table that is gone. */
    void remove(OwnerTable table) {
        Iterator<KeyRows> each = lists.values().iterator();
        while (each.hasNext()) {
            KeyRows rows = each.next();
            if (rows.table() == table) {
                each.remove();
                drop(rows);
            }
        }
    }
}
