package io.github.flinkps.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares records with those of TensorBoard 2.18's own writer for the same events. */
class EventRecordsTest {
    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void beginsAFile() {
        assertThat(hex(EventRecords.version(1_700_000_000.5)))
                .isEqualTo(
                        "1800000000000000a37f4b22"
                                + "0900002040fc54d9411a0d627261696e2e4576656e743a32"
                                + "2b353110");
    }

    @Test
    void holdsNumbersOfAStep() {
        Map<String, Double> values = new LinkedHashMap<>();
        values.put("train/loss", 0.5);
        values.put("test/auc", 0.75);
        assertThat(hex(EventRecords.scalars(1_700_000_001.25, 300, values)))
                .isEqualTo(
                        "320000000000000024"
                                + "1956ec0900005040fc54d94110ac022a240a110a0a747261696e2f6c6f7373"
                                + "150000003f0a0f0a08746573742f617563150000403fcbd4503b");
    }
}
