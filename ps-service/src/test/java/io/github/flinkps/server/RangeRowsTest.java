package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ranges of a table of 10 rows in 5 partitions, of which an owner holds some. */
class RangeRowsTest {
    private final TableSpec spec =
            TableSpec.dense("t", 10, 1, UpdateSpec.of("add")).withPartitions(5);

    private OwnerTable table(int owner, int owners) {
        OwnerModel model =
                new OwnerModel(
                        "",
                        new OwnerModel.OwnerShare(0, 1, owner, owners),
                        ServerConfig.defaults());
        model.beginAttempt(ConsistencySpec.asp(), 1);
        model.createTable(0, spec);
        return model.table(0);
    }

    /** Returns the keys of a range that are owned, slice by slice. */
    private static List<Long> keys(OwnerTable table, long from, long to) {
        RangeRows rows = RangeRows.of(table, from, to);
        List<Long> keys = new ArrayList<>();
        for (int slice = 0; slice < rows.slices(); slice++) {
            for (long key : rows.hashes(slice)) {
                keys.add(key);
            }
            assertThat(rows.row(slice, 0)).isEqualTo(rows.hashes(slice)[0] % 2);
        }
        return keys;
    }

    @Test
    void everyKeyBelongsToOneOwnerWhateverTheRange() {
        OwnerTable[] owners = {table(0, 2), table(1, 2)};
        assertThat(owners[0].owned().length + owners[1].owned().length).isEqualTo(5);
        for (long from = 0; from <= 10; from++) {
            for (long to = from; to <= 10; to++) {
                List<Long> all = new ArrayList<>(keys(owners[0], from, to));
                all.addAll(keys(owners[1], from, to));
                List<Long> asked = new ArrayList<>();
                for (long key = from; key < to; key++) {
                    asked.add(key);
                }
                assertThat(all).containsExactlyInAnyOrderElementsOf(asked);
            }
        }
    }

    @Test
    void aRangeThatLeavesTheTableIsRefused() {
        OwnerTable table = table(0, 1);
        for (long[] range : new long[][] {{-1, 2}, {3, 2}, {0, 11}, {11, 11}}) {
            assertThatThrownBy(() -> RangeRows.of(table, range[0], range[1]))
                    .isInstanceOf(PsException.class)
                    .extracting(e -> ((PsException) e).code())
                    .isEqualTo(ErrorCode.KEY_OUT_OF_RANGE);
        }
    }
}
