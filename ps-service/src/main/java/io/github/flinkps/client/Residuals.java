package io.github.flinkps.client;

import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.TableSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The updates that a worker retains, by table and key. {@link #save} costs no copy: a part, of
 * which a table has {@value #PARTS}, is copied when it is first changed after that. Survives
 * sessions; one thread.
 */
public final class Residuals {
    /** Parts of a table, by the hash of the key; they are saved, and dealt out, as a whole. */
    static final int PARTS = 64;

    private static final int SHIFT = Long.numberOfLeadingZeros(PARTS - 1);

    private final Map<String, ResidualRows[]> tables = new LinkedHashMap<>();
    private final Map<String, Integer> widths = new LinkedHashMap<>();

    public Residuals(List<TableSpec> specs) {
        for (TableSpec spec : specs) {
            tables.put(spec.name(), new ResidualRows[PARTS]);
            widths.put(spec.name(), spec.width());
        }
    }

    /** Returns the part of a table in which a key lies. */
    ResidualRows part(String table, long key) {
        ResidualRows[] parts = tables.get(table);
        int part = (int) (KeyHash.mix64(key) >>> SHIFT);
        if (parts[part] == null) {
            parts[part] = new ResidualRows(widths.get(table));
        }
        return parts[part];
    }

    /** Returns the number of rows that are retained. */
    public long rows() {
        long rows = 0;
        for (ResidualRows[] parts : tables.values()) {
            for (ResidualRows part : parts) {
                rows += part == null ? 0 : part.size();
            }
        }
        return rows;
    }

    /** Returns all that is retained, as it is now: part by part, of each the tables. */
    public List<Residual> save() {
        List<Residual> saved = new ArrayList<>();
        for (int part = 0; part < PARTS; part++) {
            for (Map.Entry<String, ResidualRows[]> table : tables.entrySet()) {
                ResidualRows rows = table.getValue()[part];
                if (rows != null && rows.size() > 0) {
                    saved.add(rows.image(table.getKey()));
                }
            }
        }
        return saved;
    }

    /**
     * Adds what was saved, of any worker, to what is retained of the same keys.
     *
     * @throws IllegalArgumentException if there is no such table
     */
    public void add(Residual saved) {
        int width = saved.width();
        if (!Integer.valueOf(width).equals(widths.get(saved.table()))) {
            throw new IllegalArgumentException(
                    "updates of table '"
                            + saved.table()
                            + "', whose rows had "
                            + width
                            + " values, were retained when the job was saved; it has no such table"
                            + " now");
        }
        float[] sum = new float[width];
        for (int row = 0; row < saved.rows(); row++) {
            System.arraycopy(saved.values(), row * width, sum, 0, width);
            ResidualRows rows = part(saved.table(), saved.keys()[row]);
            rows.addTo(sum, 0, saved.keys()[row], 1);
            rows.put(saved.keys()[row], sum, 0, 1);
        }
    }

    /** Takes all away. */
    List<Residual> take() {
        List<Residual> all = save();
        tables.replaceAll((table, parts) -> new ResidualRows[PARTS]);
        return all;
    }
}
