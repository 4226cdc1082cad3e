package io.github.flinkps.flink.table.connector;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.serving.ModelPredictor;
import io.github.flinkps.flink.serving.PredictionQueue;
import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.RowEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.FunctionContext;

/**
 * Looks rows up in a model as it is now, many in one exchange with its servers. Public, as Flink
 * calls it from code that it generates.
 */
public abstract class ModelLookup extends AsyncLookupFunction {
    private static final long serialVersionUID = 1L;

    private final TrainingModel model;
    private final PredictorSpec spec;
    private transient PredictionQueue<RowData, RowData> queue;

    ModelLookup(TrainingModel model, PredictorSpec spec) {
        this.model = model;
        this.spec = spec;
    }

    @Override
    public void open(FunctionContext context) {
        queue =
                new PredictionQueue<>(
                        new ModelPredictor(model, spec, System::nanoTime), this::answer);
    }

    @Override
    public CompletableFuture<Collection<RowData>> asyncLookup(RowData keyRow) {
        return queue.ask(keyRow).thenApply(row -> row == null ? List.of() : List.of(row));
    }

    /** Returns a row for each of the keys; null where there is none. */
    abstract List<RowData> answer(ModelPredictor predictor, List<RowData> keyRows) throws Exception;

    @Override
    public void close() {
        if (queue != null) {
            queue.close();
        }
    }

    /** Scores, looked up by the features. */
    public static final class Predictions extends ModelLookup {
        private static final long serialVersionUID = 1L;

        private final RowEncoder encoder;
        private final RowData.FieldGetter[] features;
        private final int scoresPerRow;

        /**
         * @param features of a row of keys, in the order of their declaration
         */
        Predictions(ModelSpec model, PredictorSpec spec, RowData.FieldGetter[] features) {
            super(model.model(), spec);
            this.encoder = model.featureRows();
            this.features = features;
            this.scoresPerRow = model.model().scoresPerRow();
        }

        @Override
        List<RowData> answer(ModelPredictor predictor, List<RowData> keyRows) throws Exception {
            RowBatchBuilder batch = new RowBatchBuilder();
            List<RowData> rows = new ArrayList<>();
            for (RowData keys : keyRows) {
                GenericRowData row = new GenericRowData(features.length + 1);
                for (int i = 0; i < features.length; i++) {
                    row.setField(i, features[i].getFieldOrNull(keys));
                }
                encoder.extract(row, batch);
                rows.add(row);
            }
            float[] scores = predictor.score(batch.build());
            for (int i = 0; i < rows.size(); i++) {
                ((GenericRowData) rows.get(i)).setField(features.length, scores(scores, i));
            }
            return rows;
        }

        private Object scores(float[] scores, int row) {
            double[] own = new double[scoresPerRow];
            for (int i = 0; i < scoresPerRow; i++) {
                own[i] = scores[row * scoresPerRow + i];
            }
            return scoresPerRow == 1 ? own[0] : new GenericArrayData(own);
        }
    }

    /** Parameters, looked up by table and key. */
    public static final class Parameters extends ModelLookup {
        private static final long serialVersionUID = 1L;

        private final TrainingModel model;
        private final ArrayList<TreeMap<Long, String>> names = new ArrayList<>();
        private final int tableAt;
        private final int keyAt;

        /**
         * @param tableAt where a row of keys has the name of the table, and
         * @param keyAt the key of the row
         */
        Parameters(ModelSpec model, PredictorSpec spec, int tableAt, int keyAt) {
            super(model.model(), spec);
            this.model = model.model();
            this.tableAt = tableAt;
            this.keyAt = keyAt;
            this.model
                    .tables()
                    .forEach(table -> names.add(new TreeMap<>(model.featureNames(table))));
        }

        @Override
        List<RowData> answer(ModelPredictor predictor, List<RowData> keyRows) throws Exception {
            RowData[] rows = new RowData[keyRows.size()];
            for (int table = 0; table < model.tables().size(); table++) {
                answer(predictor, table, keyRows, rows);
            }
            return Arrays.asList(rows);
        }

        private void answer(
                ModelPredictor predictor, int table, List<RowData> keyRows, RowData[] rows)
                throws Exception {
            TableSpec spec = model.tables().get(table);
            StringData name = StringData.fromString(spec.name());
            int[] places = new int[keyRows.size()];
            long[] keys = new long[keyRows.size()];
            int count = 0;
            for (int i = 0; i < places.length; i++) {
                long key = keyRows.get(i).getLong(keyAt);
                boolean there = spec.size() == TableSpec.SPARSE || key >= 0 && key < spec.size();
                if (there && keyRows.get(i).getString(tableAt).equals(name)) {
                    places[count] = i;
                    keys[count++] = key;
                }
            }
            if (count == 0) {
                return;
            }
            float[] values = predictor.values(table, Arrays.copyOf(keys, count));
            for (int i = 0; i < count; i++) {
                rows[places[i]] =
                        GenericRowData.of(
                                name,
                                keys[i],
                                StringData.fromString(names.get(table).get(keys[i])),
                                SystemParts.row(values, i, spec.width()),
                                null);
            }
        }
    }
}
