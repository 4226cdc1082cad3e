package io.github.flinkps.server;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Key lists seen by an owner thread, least recently used first out. Confined to the owner thread.
 */
final class KeyCache {
    private record Name(OwnerTable table, long signature) {}

    private final KeyArrays arrays = new KeyArrays();
    private final Map<Name, KeyRows> lists = new LinkedHashMap<>(64, 0.75f, true);
    private final long capacity;
    private long bytes;

    KeyCache(long capacity) {
        this.capacity = capacity;
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
        rows.retain();
        bytes += rows.bytes();
        KeyRows before = lists.put(new Name(rows.table(), signature), rows);
        if (before != null) {
            drop(before);
        }
        Iterator<KeyRows> oldest = lists.values().iterator();
        while (bytes > capacity && lists.size() > 1) {
            drop(oldest.next());
            oldest.remove();
        }
    }

    private void drop(KeyRows rows) {
        bytes -= rows.bytes();
        rows.release();
    }

    /** Forgets the lists of a table that is gone. */
    void remove(OwnerTable table) {
        lists.entrySet()
                .removeIf(
                        entry -> {
                            boolean gone = entry.getKey().table() == table;
                            if (gone) {
                                drop(entry.getValue());
                            }
                            return gone;
                        });
    }
}
