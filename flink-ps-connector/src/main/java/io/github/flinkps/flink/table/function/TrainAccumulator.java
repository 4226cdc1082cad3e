package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowBatchSerializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.dataview.MapView;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.types.DataType;

/**
 * The numbers of a window, and its rows that wait for a mini-batch to fill. Public as Flink wants
 * what it keeps as state.
 */
public final class TrainAccumulator {
    /** The model's name as the rows have it; null before the first. */
    public String model;

    /** Rows that have trained. */
    public long rows;

    public MeanAccumulator loss = new MeanAccumulator();
    public MeanAccumulator logloss = new MeanAccumulator();

    /**
     * The sums as in {@link AucAccumulator}. They are fields here, as Flink finds views only in the
     * accumulator itself.
     */
    public MapView<Double, RunningSum> positives = new MapView<>();

    public MapView<Double, RunningSum> negatives = new MapView<>();

    private byte[] waiting;
    private RowBatchBuilder open;

    static DataType dataType(DataTypeFactory types) {
        DataType mean = types.createDataType(MeanAccumulator.class);
        return DataTypes.STRUCTURED(
                TrainAccumulator.class,
                DataTypes.FIELD("model", DataTypes.STRING()),
                DataTypes.FIELD("rows", DataTypes.BIGINT().notNull()),
                DataTypes.FIELD("loss", mean),
                DataTypes.FIELD("logloss", mean),
                DataTypes.FIELD("positives", AucAccumulator.view(types)),
                DataTypes.FIELD("negatives", AucAccumulator.view(types)),
                DataTypes.FIELD("waiting", DataTypes.BYTES()));
    }

    /** Returns the rows that wait, as Flink keeps them; null for none. */
    public byte[] getWaiting() {
        if (open != null && open.rows() > 0) {
            RowBatch rows = open.build();
            DataOutputSerializer out = new DataOutputSerializer(64);
            try {
                new RowBatchSerializer().serialize(rows, out);
            } catch (IOException e) {
                throw new UncheckedIOException("rows that wait cannot be written", e);
            }
            waiting = out.getCopyOfBuffer();
        }
        return waiting;
    }

    /** Sets the rows that wait, to what {@link #getWaiting} gave. Called by Flink. */
    public void setWaiting(byte[] rows) {
        waiting = rows;
        open = null;
    }

    /** Returns the builder that rows are added to, with those that wait in it. */
    RowBatchBuilder open() {
        if (open == null) {
            open = new RowBatchBuilder();
        }
        if (waiting != null) {
            try {
                RowBatch rows =
                        new RowBatchSerializer().deserialize(new DataInputDeserializer(waiting));
                open.append(rows, 0, rows.rows());
            } catch (IOException e) {
                throw new UncheckedIOException("rows that wait cannot be read", e);
            }
            waiting = null;
        }
        return open;
    }

    /** Returns the area of all predictions so far. */
    AucAccumulator auc() {
        AucAccumulator auc = new AucAccumulator();
        auc.positives = positives;
        auc.negatives = negatives;
        return auc;
    }
}
