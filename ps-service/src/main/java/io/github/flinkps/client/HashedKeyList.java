package io.github.flinkps.client;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import java.util.List;

/** A key list sorted by hash (sparse) or key (dense), with its cut by owner threads. */
final class HashedKeyList implements KeyList {
    private final TableRoute route;
    private final long[] keys;
    private final int[] positions;
    private final List<RowPart> parts;

    /** Says for each part that its server has been sent the keys, so that the signature may do. */
    private final boolean[] sent;

    private HashedKeyList(TableRoute route, long[] keys, int[] positions, List<RowPart> parts) {
        this.route = route;
        this.keys = keys;
        this.positions = positions;
        this.parts = parts;
        this.sent = new boolean[parts.size()];
    }

    static HashedKeyList of(TableRoute route, int requestBytes, long[] raw, int from, int to) {
        TableSpec spec = route.spec();
        int count = to - from;
        long[] hashes = new long[count];
        for (int i = 0; i < count; i++) {
            long key = raw[from + i];
            if (spec.isSparse() ? !route.hash().contains(key) : key < 0 || key >= spec.size()) {
                throw new PsException(
                        ErrorCode.KEY_OUT_OF_RANGE,
                        "key "
                                + key
                                + " lies outside table '"
                                + spec.name()
                                + "' of "
                                + (spec.isSparse()
                                        ? "2^"
                                                + spec.keyBits()
                                                + " keys, as its key-bits say: raise them"
                                        : "size " + spec.size()));
            }
            hashes[i] = spec.isSparse() ? route.hash().hash(key) : key;
        }
        UniqueHashes unique = UniqueHashes.of(hashes, route.repeats);
        route.repeats = unique.repeats(route.repeats);
        long[] keys = new long[unique.sorted().length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = raw[from + unique.firsts()[i]];
        }
        return new HashedKeyList(
                route,
                keys,
                unique.positions(),
                RowParts.ofKeys(route, requestBytes, unique.sorted(), keys));
    }

    TableRoute route() {
        return route;
    }

    List<RowPart> parts() {
        return parts;
    }

    /**
     * Returns whether a part's keys went to its server before; from now on they did. Benign races
     * send keys once more.
     */
    boolean markSent(int part) {
        boolean before = sent[part];
        sent[part] = true;
        return before;
    }

    @Override
    public String table() {
        return route.spec().name();
    }

    @Override
    public int size() {
        return keys.length;
    }

    @Override
    public long key(int position) {
        return keys[position];
    }

    @Override
    public int[] positions() {
        return positions;
    }
}
