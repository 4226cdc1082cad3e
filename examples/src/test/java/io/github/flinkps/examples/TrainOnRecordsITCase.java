package io.github.flinkps.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.ModelValues;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainOnRecordsITCase {
    @Test
    void learnsWhichAdIsClicked(@TempDir Path folder) throws Exception {
        Path model = folder.resolve("model");
        TrainOnRecords.main(new String[] {model.toString()});
        ModelValues values = ModelValues.read(model);
        assertThat(values.get("weights", TrainOnRecords.key("ad", "shoes"))).isPositive();
        assertThat(values.get("weights", TrainOnRecords.key("ad", "bank"))).isNegative();
    }
}
