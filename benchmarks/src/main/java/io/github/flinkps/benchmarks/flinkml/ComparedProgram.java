package io.github.flinkps.benchmarks.flinkml;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.FilterFunction;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.reader.TextLineInputFormat;
import org.apache.flink.ml.api.Estimator;
import org.apache.flink.ml.api.Model;
import org.apache.flink.ml.linalg.Vector;
import org.apache.flink.ml.linalg.Vectors;
import org.apache.flink.ml.linalg.typeinfo.VectorTypeInfo;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/**
 * Everything that the programs have in common, that is all but their estimators: it is compiled
 * with the Flink of either. One job trains, a second one predicts with the last model of the first.
 */
final class ComparedProgram {
    private static final String[] COLUMNS = {"features", "label"};

    private final StreamExecutionEnvironment environment;
    private final StreamTableEnvironment tables;
    private final Path folder;
    private final int features;
    private final int batch;

    /**
     * Takes arguments apart.
     *
     * @param arguments the workload's name; the folder with rows in {@code train} and {@code test},
     *     which gets the predictions; the number of subtasks; the features, whose indices are below
     *     their number; the rows of a mini-batch over all subtasks
     */
    ComparedProgram(String... arguments) {
        this.folder = Path.of(arguments[1]);
        this.environment =
                StreamExecutionEnvironment.createLocalEnvironment(Integer.parseInt(arguments[2]));
        this.environment.getConfig().enableObjectReuse();
        this.tables = StreamTableEnvironment.create(environment);
        this.features = Integer.parseInt(arguments[3]);
        this.batch = Integer.parseInt(arguments[4]);
    }

    Path folder() {
        return folder;
    }

    int features() {
        return features;
    }

    int batch() {
        return batch;
    }

    /** Trains a model and writes a line "probability label" for every test row. */
    <M extends Model<M>> void run(Estimator<?, M> estimator) throws Exception {
        M model = estimator.fit(rows(folder.resolve("train")));
        model.setModelData(last(model.getModelData()[0]));
        Table predicted = model.transform(rows(folder.resolve("test")))[0];
        write(predicted, folder.resolve("predictions"));
    }

    /** Returns a table of one row that is made where it is needed, however large. */
    Table row(MapFunction<Long, Row> row, TypeInformation<Row> type) {
        return tables.fromDataStream(
                environment.fromSequence(0, 0).map(row).returns(type).setParallelism(1));
    }

    /** Reads lines of a label and the ascending indices of the features that are 1. */
    private Table rows(Path files) {
        FileSource<String> source =
                FileSource.forRecordStreamFormat(
                                new TextLineInputFormat(),
                                new org.apache.flink.core.fs.Path(files.toUri()))
                        .build();
        int size = features;
        return tables.fromDataStream(
                environment
                        .fromSource(source, WatermarkStrategy.noWatermarks(), "rows")
                        .map(line -> row(line, size))
                        .returns(Types.ROW_NAMED(COLUMNS, VectorTypeInfo.INSTANCE, Types.DOUBLE)));
    }

    private static Row row(String line, int features) {
        int[] indices = new int[(int) line.chars().filter(c -> c == ' ').count()];
        int at = line.indexOf(' ');
        double label = Double.parseDouble(line.substring(0, at));
        for (int i = 0; i < indices.length; i++) {
            int next = line.indexOf(' ', at + 1);
            int end = next < 0 ? line.length() : next;
            indices[i] = Integer.parseInt(line, at + 1, end, 10);
            at = end;
        }
        double[] values = new double[indices.length];
        Arrays.fill(values, 1);
        return Row.of(Vectors.sparse(features, indices, values), label);
    }

    /** Executes the job that trains. */
    private Table last(Table modelData) throws Exception {
        DataStream<Row> versions = tables.toDataStream(modelData);
        Last.row = null;
        try (CloseableIterator<Row> none =
                versions.filter(new Last()).setParallelism(1).executeAndCollect("train")) {
            while (none.hasNext()) {
                none.next();
            }
        }
        return row(any -> Last.row, versions.getType());
    }

    private void write(Table predicted, Path file) throws Exception {
        List<String> columns = predicted.getResolvedSchema().getColumnNames();
        int raw = columns.indexOf("rawPrediction");
        int label = columns.indexOf("label");
        try (CloseableIterator<String> lines =
                        tables.toDataStream(predicted)
                                .map(row -> prediction(row, raw, label))
                                .returns(Types.STRING)
                                .executeAndCollect("predict");
                PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            lines.forEachRemaining(out::println);
            if (out.checkError()) {
                throw new IOException("cannot write " + file);
            }
        }
    }

    private static String prediction(Row row, int raw, int label) {
        return ((Vector) row.getField(raw)).get(1) + " " + row.getField(label);
    }

    /** Lets nothing through, and keeps the last row: versions are too large for a client. */
    private static final class Last implements FilterFunction<Row> {
        private static final long serialVersionUID = 1L;

        /** The last row; the job runs in this process too. */
        private static volatile Row row;

        @Override
        public boolean filter(Row next) {
            row = next;
            return false;
        }
    }
}
