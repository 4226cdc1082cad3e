package io.github.flinkps.flink.ml;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Values that no stage takes for a param, beside those that Flink ML checks itself. */
final class WrongParams {
    private static final Map<String, List<Object>> VALUES = new HashMap<>();

    static {
        for (String count :
                new String[] {
                    "factors", "globalBatchSize", "maxIter", "servers", "window", "workers"
                }) {
            put(count, 0, -1);
        }
        put("classes", 1, 1 << 20);
        put("keptVersions", 0);
        put("numFeatures", 0L, -5L);
        put("staleness", -1, 3);
        put("consistency", "SSP", "loose");
        put("elasticNet", 2.0, -1.0);
        put("learningRate", 0.0, -1.0, Double.NaN, Double.POSITIVE_INFINITY);
        put("reg", -1.0, Double.NaN, Double.POSITIVE_INFINITY);
        for (String column :
                new String[] {"featuresCol", "labelCol", "weightCol", "userCol", "itemCol"}) {
            put(column, "", "none");
        }
        put("predictionCol", "", null);
        put("rawPredictionCol", "", null);
        VALUES.put(
                "featuresCols",
                List.of(new String[0], new String[] {"none"}, new String[] {"", "a"}));
        VALUES.put(
                "labelValues",
                List.of(
                        new String[0],
                        new String[] {"1"},
                        new String[] {"1", "1", "1"},
                        new String[] {"a", "b", "c"},
                        new String[] {"1", ""}));
        VALUES.put("options", List.of(new String[] {"beta"}, new String[1]));
        VALUES.put(
                "remote", List.of(new String[0], new String[] {"nowhere"}, new String[] {"a:0:b"}));
        put("hidden", "", "0", "8,many");
        put("initialModel", "", "/none", "s3://bucket/model");
        put("modelRoot", "", "s3://bucket/models");
        put("optimizer", "", "nonesuch");
        put("saveInterval", "", "soon", "0 s", "-1 s", null);
        put("task", "neither");
    }

    private WrongParams() {}

    private static void put(String param, Object... values) {
        VALUES.put(param, new ArrayList<>(Arrays.asList(values)));
    }

    /** None for what may be anything. */
    static List<Object> of(String param) {
        return VALUES.getOrDefault(param, List.of());
    }
}
