package io.github.flinkps.flink.testing;

import io.github.flinkps.flink.data.RowBatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.RichMapFunction;

/** Holds the rows of one subtask back. */
public final class SlowMap extends RichMapFunction<RowBatch, RowBatch> {
    private static final long serialVersionUID = 1L;

    private final int subtask;

    public SlowMap(int subtask) {
        this.subtask = subtask;
    }

    @Override
    public RowBatch map(RowBatch rows) throws InterruptedException {
        if (getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == subtask) {
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return rows;
    }
}
