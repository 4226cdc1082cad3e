package io.github.flinkps.client;

import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.TableSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts rows by owner thread and into requests of bounded size; whole partitions stay together where
 * a push must be atomic.
 */
final class RowParts {
    private final TableRoute route;
    private final long limit;
    private final long[] hashes;
    private final long[] keys;
    private final List<RowPart> parts = new ArrayList<>();
    private final Open[] open;

    private RowParts(TableRoute route, int requestBytes, long[] hashes, long[] keys) {
        this.route = route;
        int rowBytes = 4 * route.spec().width() + (keys == null ? 0 : 8);
        this.limit = Math.max(1, requestBytes / rowBytes);
        this.hashes = hashes;
        this.keys = keys;
        this.open = new Open[route.links()];
    }

    /** A part being filled. */
    private static final class Open {
        private int[] runs = new int[8];
        private int runCount;
        private int[] partitions = new int[8];
        private int partitionCount;
        private int rows;
        private long signature = 0x243F6A8885A308D3L;
        private long firstKey;
        private long endKey;

        void add(int from, int to, int partition) {
            if (runCount > 0 && runs[runCount - 1] == from) {
                runs[runCount - 1] = to;
            } else {
                if (runCount == runs.length) {
                    runs = Arrays.copyOf(runs, runCount * 2);
                }
                runs[runCount++] = from;
                runs[runCount++] = to;
            }
            if (partitionCount == 0 || partitions[partitionCount - 1] != partition) {
                if (partitionCount == partitions.length) {
                    partitions = Arrays.copyOf(partitions, partitionCount * 2);
                }
                partitions[partitionCount++] = partition;
            }
            rows += to - from;
        }
    }

    /** Returns the parts of a key list; each partition lies in one part. */
    static List<RowPart> ofKeys(TableRoute route, int requestBytes, long[] hashes, long[] keys) {
        RowParts cut = new RowParts(route, requestBytes, hashes, keys);
        int from = 0;
        while (from < hashes.length) {
            int partition = route.partition(hashes[from]);
            int to = from + 1;
            while (to < hashes.length && route.partition(hashes[to]) == partition) {
                to++;
            }
            Open part = cut.room(route.link(partition), to - from);
            part.add(from, to, partition);
            part.signature = sign(part.signature, hashes, from, to);
            from = to;
        }
        return cut.finish();
    }

    private static long sign(long seed, long[] hashes, int from, int to) {
        long signature = seed;
        for (int i = from; i < to; i++) {
            signature = (Long.rotateLeft(signature, 23) ^ hashes[i]) * 0x9E3779B97F4A7C15L;
        }
        return signature;
    }

    /**
     * Returns the parts of a range of a dense table.
     *
     * @param atomic whether a partition must lie in one part
     */
    static List<RowPart> ofRange(
            TableRoute route, int requestBytes, long fromKey, long toKey, boolean atomic) {
        RowParts cut = new RowParts(route, requestBytes, null, null);
        TableSpec spec = route.spec();
        long key = fromKey;
        while (key < toKey) {
            int partition = route.partition(key);
            long end = Math.min(toKey, spec.firstKey(partition + 1));
            if (!atomic) {
                end = Math.min(end, key + cut.limit);
            }
            Open part = cut.room(route.link(partition), (int) (end - key));
            if (part.rows == 0) {
                part.firstKey = key;
            }
            part.endKey = end;
            part.add((int) (key - fromKey), (int) (end - fromKey), partition);
            key = end;
        }
        return cut.finish();
    }

    private Open room(int link, int rows) {
        Open part = open[link];
        if (part != null && part.rows + (long) rows > limit) {
            close(link);
            part = null;
        }
        if (part == null) {
            part = new Open();
            open[link] = part;
        }
        return part;
    }

    private void close(int link) {
        Open part = open[link];
        parts.add(
                new RowPart(
                        route,
                        link,
                        hashes,
                        keys,
                        Arrays.copyOf(part.runs, part.runCount),
                        part.rows,
                        Arrays.copyOf(part.partitions, part.partitionCount),
                        keys == null ? 0 : KeyHash.mix64(part.signature + part.rows),
                        part.firstKey,
                        part.endKey));
        open[link] = null;
    }

    private List<RowPart> finish() {
        for (int link = 0; link < open.length; link++) {
            if (open[link] != null) {
                close(link);
            }
        }
        return parts;
    }
}
