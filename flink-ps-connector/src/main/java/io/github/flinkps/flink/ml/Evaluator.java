package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.internal.compat.Tables;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasMetricsNames;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.apache.flink.ml.api.AlgoOperator;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.util.ParamUtils;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.types.Row;

/**
 * Measures predictions of a table that ends: one row, with a column for each of {@code
 * metricsNames}. All rows go to one task, which keeps what the measures need.
 *
 * @param <E> the evaluator
 */
public abstract class Evaluator<E extends Evaluator<E>>
        implements AlgoOperator<E>, HasLabelCol<E>, HasMetricsNames<E> {
    private static final long serialVersionUID = 1L;

    private final Map<Param<?>, Object> params = new HashMap<>();

    Evaluator() {
        ParamUtils.initializeMapWithDefaultValues(params, this);
    }

    @Override
    public Map<Param<?>, Object> getParamMap() {
        return params;
    }

    /** Returns the metrics there are, with the types of their columns. */
    abstract Map<String, TypeInformation<?>> metrics();

    /** Returns the metrics to measure where none are named. */
    abstract List<String> usual();

    /**
     * Returns what measures rows.
     *
     * @throws ValidationException naming the param or column that is wrong
     */
    abstract Measure measure(ResolvedSchema schema, List<String> metrics);

    /**
     * Measures predictions.
     *
     * @param inputs one table that ends, to which rows are only added
     * @return one table of one row
     * @throws ValidationException naming the param or column that is wrong
     */
    @Override
    public Table[] transform(Table... inputs) {
        Table table = PsEstimator.only(inputs);
        StreamTableEnvironment environment = Tables.environment(table);
        List<String> names = names();
        Measure measure = measure(table.getResolvedSchema(), names);
        DataStream<Row> rows = environment.toDataStream(table);
        if (!StreamGraphs.isBounded(rows)) {
            throw new ValidationException(
                    getClass().getSimpleName()
                            + " measures a table that ends; for others there are the functions of"
                            + " SQL, which measure windows");
        }
        RowTypeInfo type =
                new RowTypeInfo(
                        names.stream().map(metrics()::get).toArray(TypeInformation<?>[]::new),
                        names.toArray(new String[0]));
        DataStream<Row> measured =
                StreamGraphs.oneTask("measure", rows, type, new MeasureLogic(measure, names));
        return new Table[] {environment.fromDataStream(measured)};
    }

    private List<String> names() {
        if (getMetricsNames() == null) {
            return usual();
        }
        List<String> names = Arrays.stream(getMetricsNames()).distinct().toList();
        for (String name : names) {
            if (!metrics().containsKey(name)) {
                throw new ValidationException(
                        "metricsNames: there is no metric '"
                                + name
                                + "'; there are "
                                + String.join(", ", metrics().keySet()));
            }
        }
        return names;
    }

    /** Saves the params. */
    @Override
    public void save(String path) throws IOException {
        ReadWriteUtils.saveMetadata(this, path);
    }
}
