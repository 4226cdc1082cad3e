package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.data.RowBatchBuilder;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.functions.AggregateFunction;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.SpecializedFunction;
import org.apache.flink.table.functions.UserDefinedFunction;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.inference.TypeInference;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.types.Row;

/**
 * {@code PS_TRAIN('DATABASE.MODEL', column, ..)}: trains a model by the rows of a window, its
 * columns in the order of their declaration, label and weight among them; gives ({@code row_count},
 * {@code logloss}, {@code auc}, {@code loss}) of predictions that were made before their rows
 * trained. Model and columns are checked when the statement is validated.
 *
 * <p>Rows wait in their window's accumulator until they fill a mini-batch; the rest of them trains
 * when the window gives its result. The task's thread waits for the servers. It cannot merge nor
 * retract what was trained, so that plans that would want it to are refused.
 */
public final class PsTrain extends AggregateFunction<Row, TrainAccumulator>
        implements SpecializedFunction {
    /** The name of the function in SQL. */
    public static final String NAME = "PS_TRAIN";

    private static final long serialVersionUID = 1L;

    private static final DataType RESULT =
            DataTypes.ROW(
                    DataTypes.FIELD("row_count", DataTypes.BIGINT().notNull()),
                    DataTypes.FIELD("logloss", DataTypes.DOUBLE()),
                    DataTypes.FIELD("auc", DataTypes.DOUBLE()),
                    DataTypes.FIELD("loss", DataTypes.DOUBLE()));

    private final PredictSource source;

    /** Types of the columns, once Flink has planned them; null before. */
    private final List<LogicalType> columns;

    private transient String job;
    private transient TrainTarget target;

    /**
     * @param options those of the module
     */
    public PsTrain(ReadableConfig options) {
        this(PredictSource.of(options), null);
    }

    private PsTrain(PredictSource source, List<LogicalType> columns) {
        this.source = source;
        this.columns = columns;
    }

    /**
     * Returns the types. Once planned, only the types of arguments are known, which have been
     * checked.
     */
    @Override
    public TypeInference getTypeInference(DataTypeFactory types) {
        return TypeInference.newBuilder()
                .inputTypeStrategy(new TrainArguments(source, columns))
                .accumulatorTypeStrategy(call -> Optional.of(TrainAccumulator.dataType(types)))
                .outputTypeStrategy(call -> Optional.of(RESULT))
                .build();
    }

    /** Returns false: a row that trains changes what the next one gives. */
    @Override
    public boolean isDeterministic() {
        return false;
    }

    @Override
    public UserDefinedFunction specialize(SpecializedContext context) {
        List<DataType> all = context.getCallContext().getArgumentDataTypes();
        return new PsTrain(
                source,
                List.copyOf(
                        all.subList(1, all.size()).stream()
                                .map(DataType::getLogicalType)
                                .toList()));
    }

    @Override
    public void open(FunctionContext context) {
        job = context.getMetricGroup().getAllVariables().get("<job_id>");
    }

    @Override
    public TrainAccumulator createAccumulator() {
        return new TrainAccumulator();
    }

    /**
     * Adds a row to those that wait, and trains them when they are a mini-batch. Called by Flink.
     *
     * @param call name of the model, a literal that Flink hands over as a column, and columns
     */
    public void accumulate(TrainAccumulator kept, Object... call) throws Exception {
        kept.model = call[0].toString();
        TrainTarget to = target(kept.model);
        RowBatchBuilder open = kept.open();
        to.extract(BoundPredict.features(call), open);
        if (open.rows() >= to.batchSize()) {
            to.train(kept);
        }
    }

    private TrainTarget target(String model) throws Exception {
        if (target == null) {
            target = TrainTarget.begin(source.table(source.name(model)), columns, job);
        }
        return target;
    }

    @Override
    public Row getValue(TrainAccumulator kept) {
        try {
            if (kept.model != null) {
                TrainTarget to = target(kept.model);
                to.train(kept);
                to.saveIfDue();
            }
            return Row.of(kept.rows, kept.logloss.mean(), kept.auc().auc(), kept.loss.mean());
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(
                    NAME + ": the rows of a window cannot train: " + e.getMessage(), e);
        }
    }

    /** Leaves the model; the last of the job in this process saves it. */
    @Override
    public void close() throws Exception {
        if (target != null) {
            TrainTarget last = target;
            target = null;
            last.close();
        }
    }
}
