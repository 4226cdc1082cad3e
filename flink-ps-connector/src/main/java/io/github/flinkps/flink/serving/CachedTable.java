package io.github.flinkps.flink.serving;

import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.TableSpec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The cache of a table's rows. It has the rows pulled lately, the least recently used of which are
 * forgotten first, and the keys and rows of the rows that are scored now. One thread at a time.
 */
final class CachedTable {
    private static final int FIRST_SIZE = 64;

    private final TableSpec spec;
    private final Map<Long, Row> rows;
    private long[] keys = new long[FIRST_SIZE];
    private int size;
    private long rangeFrom;
    private long rangeTo;
    private float[] values = {};
    private int[] positions = {};
    private Range range;
    private KeyList missing;
    private float[] pulled;

    private record Row(float[] values, long nanos) {}

    private record Range(long from, long to, float[] values, long nanos) {}

    /**
     * @param most rows that are kept
     */
    CachedTable(TableSpec spec, int most) {
        this.spec = spec;
        this.rows =
                new LinkedHashMap<>(16, .75f, true) {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Long, Row> eldest) {
                        return size() > most;
                    }
                };
    }

    void begin() {
        size = 0;
        rangeFrom = 0;
        rangeTo = 0;
    }

    void add(long[] more, int from, int to) {
        int count = to - from;
        if (size + count > keys.length) {
            keys = Arrays.copyOf(keys, Math.max(size + count, 2 * keys.length));
        }
        System.arraycopy(more, from, keys, size, count);
        size += count;
    }

    void range(long from, long to) {
        if (from < 0 || from > to || to > spec.size()) {
            throw new IllegalArgumentException(
                    "range "
                            + from
                            + " to "
                            + to
                            + " lies outside table '"
                            + spec.name()
                            + "' of size "
                            + spec.size());
        }
        rangeFrom = from;
        rangeTo = to;
    }

    /**
     * Adds to an exchange what is not known, or was pulled too long ago.
     *
     * @param oldest nanoseconds by the clock of {@link #arrived}; what was pulled before is stale
     * @return whether there is any
     */
    boolean pull(ModelSession session, Exchange exchange, long oldest) {
        missing = null;
        pulled = null;
        if (rangeFrom < rangeTo) {
            return pullRange(exchange, oldest);
        }
        long[] unknown = null;
        int count = 0;
        for (int i = 0; i < size; i++) {
            Row row = rows.get(keys[i]);
            if (row == null || row.nanos - oldest < 0) {
                unknown = unknown == null ? new long[size] : unknown;
                unknown[count++] = keys[i];
            }
        }
        if (count == 0) {
            return false;
        }
        missing = session.keys(spec.name(), unknown, 0, count);
        pulled = new float[Math.multiplyExact(missing.size(), spec.width())];
        exchange.pull(missing, pulled);
        return true;
    }

    private boolean pullRange(Exchange exchange, long oldest) {
        boolean known =
                range != null
                        && range.from == rangeFrom
                        && range.to == rangeTo
                        && range.nanos - oldest >= 0;
        if (known) {
            return false;
        }
        pulled = new float[Math.toIntExact((rangeTo - rangeFrom) * spec.width())];
        exchange.pullRange(spec.name(), rangeFrom, rangeTo, pulled);
        return true;
    }

    /**
     * Takes what was pulled, and lays out the rows of all keys.
     *
     * @param nanos now
     */
    void arrived(long nanos) {
        if (rangeFrom < rangeTo) {
            if (pulled != null) {
                range = new Range(rangeFrom, rangeTo, pulled, nanos);
            }
            return;
        }
        int width = spec.width();
        Map<Long, Row> news = new HashMap<>();
        for (int i = 0; missing != null && i < missing.size(); i++) {
            float[] row = Arrays.copyOfRange(pulled, i * width, (i + 1) * width);
            news.put(missing.key(i), new Row(row, nanos));
        }
        if (values.length < size * width || positions.length < size) {
            values = new float[Math.multiplyExact(keys.length, width)];
            positions = new int[keys.length];
            Arrays.setAll(positions, i -> i);
        }
        for (int i = 0; i < size; i++) {
            Row row = news.get(keys[i]);
            row = row == null ? rows.get(keys[i]) : row;
            System.arraycopy(row.values, 0, values, i * width, width);
        }
        rows.putAll(news);
    }

    int rows() {
        return rangeFrom < rangeTo ? Math.toIntExact(rangeTo - rangeFrom) : size;
    }

    float[] values() {
        return rangeFrom < rangeTo ? range.values : values;
    }

    int[] positions() {
        return rangeFrom < rangeTo ? null : positions;
    }
}
