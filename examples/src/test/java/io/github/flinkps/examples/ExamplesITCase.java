package io.github.flinkps.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.testing.ModelValues;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExamplesITCase {
    @TempDir private Path folder;

    @Test
    void predictsWithTheModelTrainedBefore() throws Exception {
        String model = folder.resolve("model").toString();
        TrainOnRecords.main(new String[] {model});
        Matcher lines =
                Pattern.compile("ad=([a-z]+), price=2\\.0]: p = ([0-9.E-]+)")
                        .matcher(Printed.by(() -> PredictRecords.main(new String[] {model})));
        Map<String, Double> scores = new HashMap<>();
        while (lines.find()) {
            scores.put(lines.group(1), Double.valueOf(lines.group(2)));
        }
        assertThat(scores).containsOnlyKeys("shoes", "bank");
        assertThat(scores.get("shoes")).isGreaterThan(.6);
        assertThat(scores.get("bank")).isLessThan(.4);
    }

    /** A tenth of the trips of day d takes at most 10 d + 1 minutes. */
    @Test
    void trainsAModelAndAnOptimizerOfOnesOwn() throws Exception {
        Path model = folder.resolve("own");
        TrainOwnModel.main(new String[] {model.toString()});
        ModelValues values = ModelValues.read(model);
        for (long day = 0; day < 7; day++) {
            assertThat(values.get("weights", day)).isCloseTo(10f * day + 1.5f, within(1.5f));
        }
    }

    @Test
    void sayHowTheyAreCalled() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TrainOnRecords.main(new String[0]))
                .withMessage("usage: TrainOnRecords MODEL_DIR");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TrainOnStream.main(new String[0]))
                .withMessage("usage: TrainOnStream MODEL_DIR SECONDS");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JoinPredictions.main(new String[0]))
                .withMessage("usage: JoinPredictions MODEL_DIR");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PredictRecords.main(new String[0]))
                .withMessage("usage: PredictRecords MODEL_DIR");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TrainPipeline.main(new String[0]))
                .withMessage("usage: TrainPipeline FOLDER");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TrainOwnModel.main(new String[0]))
                .withMessage("usage: TrainOwnModel MODEL_DIR");
    }
}
