package io.github.flinkps.flink.data;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Rows of another format, their values scaled by {@link LibsvmRecipe}. */
record ScaledFormat(LibsvmFormat format, LibsvmRecipe recipe) implements RowFormat {
    private static final long serialVersionUID = 1L;

    @Override
    public String name() {
        return format.name();
    }

    @Override
    public RowParser newParser() {
        return new Scaler(new LibsvmParser(format.labels(), format.features(), true), recipe);
    }

    /** Parses a row into a builder of its own, and scales it from there. */
    private static final class Scaler implements RowParser {
        private final LibsvmParser parser;
        private final NumericTransform transform;
        private final Map<Long, NumericScale> scales;
        private final FeatureHash hash;
        private final RowBatchBuilder row = new RowBatchBuilder();

        /**
         * The indices that count where they are absent too, ascending, and what they count then.
         */
        private final long[] dense;

        private final float[] absent;
        private final boolean[] present;

        Scaler(LibsvmParser parser, LibsvmRecipe recipe) {
            this.parser = parser;
            this.transform = recipe.transform();
            this.scales = new HashMap<>(recipe.scales());
            this.hash = new FeatureHash("index", recipe.hashBits());
            this.dense =
                    transform == NumericTransform.AUTO
                            ? scales.keySet().stream()
                                    .filter(index -> scales.get(index).center() != 0)
                                    .mapToLong(Long::longValue)
                                    .sorted()
                                    .toArray()
                            : new long[0];
            this.absent = new float[dense.length];
            for (int i = 0; i < dense.length; i++) {
                absent[i] = scales.get(dense[i]).apply(0);
            }
            this.present = new boolean[dense.length];
        }

        @Override
        public void parse(byte[] buffer, int from, int to, RowBatchBuilder out) throws RowProblem {
            row.clear();
            parser.parse(buffer, from, to, row);
            if (row.rows() == 0) {
                return;
            }
            for (int i = 0; i < row.entries(); i++) {
                long key = row.key(i);
                double value = parser.exact(i);
                if (transform == NumericTransform.LOG) {
                    out.add(key, NumericScale.LOG.apply(value));
                    continue;
                }
                NumericScale scale = scales.get(key);
                if (transform == NumericTransform.BUCKET) {
                    // An index that no row had that trained has no bucket, and no key of its own.
                    if (scale != null) {
                        out.add(hash.key(key + "#" + scale.bucket(value)));
                    }
                } else if (scale == null) {
                    out.add(key, row.value(i));
                } else {
                    out.add(key, scale.apply(value));
                    see(key);
                }
            }
            addAbsent(out);
            out.endRow(row.label(0), row.weight(0));
        }

        private void see(long key) {
            int at = Arrays.binarySearch(dense, key);
            if (at >= 0) {
                present[at] = true;
            }
        }

        private void addAbsent(RowBatchBuilder out) {
            for (int i = 0; i < dense.length; i++) {
                if (!present[i]) {
                    out.add(dense[i], absent[i]);
                }
                present[i] = false;
            }
        }
    }
}
