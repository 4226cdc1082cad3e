package io.github.flinkps.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.common.UpdateSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RowPartsTest {
    private static final UpdateSpec ADD = UpdateSpec.of("add");

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    private TableRoute route(TableSpec spec) {
        int[] owners = random.ints(1 + random.nextInt(4), 1, 4).toArray();
        return new TableRoute(
                spec,
                UpdateInput.INCREMENT,
                new int[owners.length],
                new Topology(owners),
                ValueEncodings.EXACT);
    }

    /** Each row in one part; returns how many parts each partition lies in, at most. */
    private static void check(List<RowPart> parts, int rows, long[] keyOfRow, boolean whole) {
        boolean[] seen = new boolean[rows];
        Set<Integer> partitions = new HashSet<>();
        for (RowPart part : parts) {
            int count = 0;
            for (int run = 0; run < part.runs().length; run += 2) {
                for (int row = part.runs()[run]; row < part.runs()[run + 1]; row++) {
                    assertThat(seen[row]).isFalse();
                    seen[row] = true;
                    count++;
                    int partition = part.route().partition(keyOfRow[row]);
                    assertThat(part.route().link(partition)).isEqualTo(part.link());
                    assertThat(part.partitions()).contains(partition);
                }
            }
            assertThat(count).isEqualTo(part.rows()).isPositive();
            for (int partition : part.partitions()) {
                assertThat(partitions.add(partition) || !whole).isTrue();
            }
        }
        for (boolean one : seen) {
            assertThat(one).isTrue();
        }
    }

    @Test
    void everyKeyIsInOnePartAndPartitionsStayWhole() {
        System.out.println("seed " + seed);
        for (int run = 0; run < 50; run++) {
            TableSpec spec =
                    run % 2 == 0
                            ? TableSpec.sparse("t", 1 + random.nextInt(5), ADD)
                                    .withPartitions(1 << random.nextInt(7))
                            : TableSpec.dense("t", 5000, 1 + random.nextInt(5), ADD)
                                    .withPartitions(1 + random.nextInt(20));
            long bound = spec.isSparse() ? Long.MAX_VALUE : 5000;
            long[] raw = random.longs(random.nextInt(2000), 0, bound).toArray();
            HashedKeyList list = HashedKeyList.of(route(spec), 4096, raw, 0, raw.length);
            long[] placed = new long[list.size()];
            for (int i = 0; i < placed.length; i++) {
                long key = list.key(i);
                placed[i] = spec.isSparse() ? list.route().hash().hash(key) : key;
                assertThat(i == 0 || Long.compareUnsigned(placed[i - 1], placed[i]) < 0).isTrue();
            }
            for (int i = 0; i < raw.length; i++) {
                assertThat(list.key(list.positions()[i])).isEqualTo(raw[i]);
            }
            check(list.parts(), placed.length, placed, true);
        }
    }

    @Test
    void rangesAreCutBySizeButForPushesNotWithinAPartition() {
        System.out.println("seed " + seed);
        for (int run = 0; run < 50; run++) {
            TableSpec spec =
                    TableSpec.dense("t", 3000, 1 + random.nextInt(5), ADD)
                            .withPartitions(1 + random.nextInt(20));
            int from = random.nextInt(3001);
            int to = from + random.nextInt(3001 - from);
            long[] keys = new long[to - from];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = (long) from + i;
            }
            TableRoute route = route(spec);
            check(RowParts.ofRange(route, 4096, from, to, true), to - from, keys, true);
            List<RowPart> parts = RowParts.ofRange(route, 4096, from, to, false);
            check(parts, to - from, keys, false);
            assertThat(parts).allMatch(part -> part.valueBytes() <= 4096);
        }
    }
}
