package io.github.flinkps.harness.oracle;

import io.github.flinkps.client.PushFilter;

/**
 * Retains what is shared and the total until the end: it lies on the workers and in checkpoints.
 */
record OracleFilter() implements PushFilter {
    private static final long serialVersionUID = 1L;

    @Override
    public void filter(Rows rows) {
        String table = rows.table().name();
        if (table.equals(OracleModel.SHARED) || table.equals(OracleModel.TOTAL)) {
            for (int row = 0; row < rows.count(); row++) {
                rows.retain(row);
            }
        }
    }
}
