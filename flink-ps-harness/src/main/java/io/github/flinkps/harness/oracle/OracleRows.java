package io.github.flinkps.harness.oracle;

import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowExtractor;

/**
 * A row per number, whose weight is 1, 2 or 3; made by the worker, which fails here where it is to
 * fail.
 */
final class OracleRows implements RowExtractor<Long> {
    private static final long serialVersionUID = 1L;

    private final OracleHooks hooks;

    OracleRows(OracleHooks hooks) {
        this.hooks = hooks;
    }

    @Override
    public void extract(Long number, RowBatchBuilder out) {
        hooks.inWorker();
        if (number == OracleGate.FAILING) {
            throw new IllegalStateException("the oracle's worker has failed elsewhere meanwhile");
        }
        out.add(number).endRow(0f, (float) (1 + number % 3));
    }
}
