package io.github.flinkps.cli.job;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.LibsvmFormat;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowProblem;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FixedEntriesTest {
    private final FixedEntries format =
            new FixedEntries(LibsvmFormat.of(Labels.REAL), 2, "--algorithm pairs", true, 100, 30);

    private void parse(String row) throws RowProblem {
        byte[] bytes = row.getBytes(StandardCharsets.US_ASCII);
        format.newParser().parse(bytes, 0, bytes.length, new RowBatchBuilder());
    }

    @Test
    void namesTheOptionThatARowDoesNotFit() throws RowProblem {
        parse("1 7:1 100:1");
        parse("1 7:1 129:1");
        assertThatThrownBy(() -> parse("1 7:1"))
                .hasMessage("the row has 1 entry, where each row must have 2 (--algorithm pairs)");
        assertThatThrownBy(() -> parse("1 7:1 100:2"))
                .hasMessage(
                        "the row has value 2.0 for index 100, where values must be 1 (--algorithm"
                                + " pairs)");
        for (int item : new int[] {99, 130}) {
            assertThatThrownBy(() -> parse("1 7:1 " + item + ":1"))
                    .hasMessage(
                            "item "
                                    + item
                                    + " is not one of the 30 items from 100 on (--items,"
                                    + " --first-item)");
        }
    }
}
