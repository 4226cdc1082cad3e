package io.github.flinkps.flink;

import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.function.RunPredict;
import io.github.flinkps.flink.training.WorkerReport;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.api.Table;

/** Training on a table, whose model also predicts rows of other tables. */
public final class TableTraining extends Training {
    private final ModelSpec spec;

    TableTraining(
            TrainingJob<?> job, SingleOutputStreamOperator<WorkerReport> workers, ModelSpec spec) {
        super(job, workers);
        this.spec = spec;
    }

    /**
     * Predicts the rows of a second table of the same environment, as {@link
     * Training#predictions(org.apache.flink.streaming.api.datastream.DataStream,
     * io.github.flinkps.flink.data.RowExtractor) predictions} of a stream: a table with a column
     * more, which can be joined as any other. It must become part of the job that trains, such as
     * by {@code toDataStream}, or a statement set's {@code attachAsDataStream}: {@code execute} of
     * a table is a job of its own, which finds no training.
     *
     * <pre>{@code
     * TableTraining training =
     *         FlinkPs.trainTable(table, model).label("clicked").asVersions().start();
     * Table predicted = training.predictions(visits, "probability");
     * tables.toDataStream(predicted.select($("ad"), $("probability"))).print();
     * env.execute();
     * }</pre>
     *
     * @param second has the columns that are features, of the same types or such as are cast to
     *     them without loss
     * @param column what the score is called, a {@code DOUBLE}; or an array of them where the
     *     algorithm has several scores a row
     * @throws org.apache.flink.table.api.ValidationException naming the feature that is missing or
     *     of another type, or if there is a column of the name
     * @throws IllegalArgumentException in BATCH runtime mode, which would predict when training is
     *     over, and where a bounded training leaves nothing to predict with
     */
    public Table predictions(Table second, String column) {
        return second.addColumns(
                RunPredict.of(spec, predictor(), second.getResolvedSchema()).as(column));
    }
}
