package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasK;
import io.github.flinkps.flink.ml.param.HasPredictionCol;
import io.github.flinkps.flink.ml.param.HasUserCol;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.catalog.ResolvedSchema;

/**
 * Measures how well scores rank the rows of each user, a mean over the users who have a row of
 * label 1; {@code predictionCol} is the column of scores.
 *
 * <ul>
 *   <li>{@code precision}: the share of the first k places whose label is 1
 *   <li>{@code ndcg}: the discounted gain of the first k places, divided by the most it could be
 * </ul>
 */
public final class RankingEvaluator extends Evaluator<RankingEvaluator>
        implements HasUserCol<RankingEvaluator>,
                HasPredictionCol<RankingEvaluator>,
                HasK<RankingEvaluator> {
    static final String PRECISION = "precision";
    static final String NDCG = "ndcg";

    private static final long serialVersionUID = 1L;

    @Override
    Map<String, TypeInformation<?>> metrics() {
        Map<String, TypeInformation<?>> metrics = new LinkedHashMap<>();
        metrics.put(PRECISION, Types.DOUBLE);
        metrics.put(NDCG, Types.DOUBLE);
        return metrics;
    }

    @Override
    List<String> usual() {
        return List.of(PRECISION, NDCG);
    }

    @Override
    Measure measure(ResolvedSchema schema, List<String> metrics) {
        ColumnReader label = ColumnReader.of(schema, "labelCol", getLabelCol());
        ColumnReader score = ColumnReader.of(schema, "predictionCol", getPredictionCol());
        if (!label.isNumber() && !label.isTruth()) {
            throw new ValidationException(
                    "labelCol: column '"
                            + label.name()
                            + "' must be a number or BOOLEAN, not "
                            + label.shown());
        }
        if (!score.isNumber()) {
            throw new ValidationException(
                    "predictionCol: column '"
                            + score.name()
                            + "' must be a number, not "
                            + score.shown());
        }
        return new RankMeasure(
                ColumnReader.of(schema, "userCol", getUserCol()), score, label, getK(), metrics);
    }

    /** Loads what was saved. */
    public static RankingEvaluator load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
