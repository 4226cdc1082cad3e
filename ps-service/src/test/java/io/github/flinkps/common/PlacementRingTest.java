package io.github.flinkps.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PlacementRingTest {
    private static final int PARTITIONS = 1024;

    @Test
    void noServerHoldsMoreThanItsShare() {
        for (int servers = 1; servers <= 12; servers++) {
            int[] load = new int[servers];
            for (int primary : PlacementRing.of(servers).primaries(PARTITIONS)) {
                load[primary]++;
            }
            int most = (PARTITIONS + servers - 1) / servers;
            for (int one : load) {
                assertThat(one).isBetween(most / 2, most);
            }
        }
    }

    @Test
    void aPrimaryIsTheFirstOfItsOrderThatHasRoom() {
        for (int servers : new int[] {1, 2, 3, 7, 64, 300}) {
            PlacementRing ring = PlacementRing.of(servers);
            int[] primaries = ring.primaries(PARTITIONS);
            int most = (PARTITIONS + servers - 1) / servers;
            int[] load = new int[servers];
            for (int partition = 0; partition < PARTITIONS; partition++) {
                int first =
                        ring.order(partition).stream()
                                .filter(server -> load[server] < most)
                                .findFirst()
                                .orElseThrow();
                load[first]++;
                assertThat(primaries[partition]).isEqualTo(first);
            }
        }
    }

    /** Places as many of both as a request may name. */
    @Test
    @Timeout(60)
    void manyServersAndPartitionsArePlacedAtOnce() {
        int[] load = new int[4096];
        for (int primary : PlacementRing.of(load.length).primaries(1 << 16)) {
            load[primary]++;
        }
        assertThat(load).containsOnly(16);
    }

    @Test
    void anotherServerTakesItsShareAndLittleElseMoves() {
        for (int servers = 1; servers <= 8; servers++) {
            int[] before = PlacementRing.of(servers).primaries(PARTITIONS);
            int[] after = PlacementRing.of(servers + 1).primaries(PARTITIONS);
            int moved = 0;
            for (int partition = 0; partition < PARTITIONS; partition++) {
                moved += before[partition] == after[partition] ? 0 : 1;
            }
            // Its share, and what the bound on loads pushes on: modulo would move nearly all.
            assertThat(moved).isLessThan(PARTITIONS / (servers + 1) + PARTITIONS / 4);
        }
    }

    @Test
    void theOrderOfAPartitionNamesEveryServerOnceAndBeginsAlike() {
        for (int partition = 0; partition < 100; partition++) {
            assertThat(PlacementRing.of(5).order(partition))
                    .containsExactlyInAnyOrder(0, 1, 2, 3, 4)
                    .isEqualTo(PlacementRing.of(5).order(partition));
        }
        assertThatThrownBy(() -> PlacementRing.of(0)).hasMessageContaining("servers");
    }

    @Test
    void aModelNamesEveryServerOnceAndModelsSpread() {
        int[] decides = new int[5];
        for (int model = 0; model < 1000; model++) {
            List<Integer> order = PlacementRing.of(5).order("model-" + model);
            assertThat(order).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
            assertThat(PlacementRing.of(5).order("model-" + model)).isEqualTo(order);
            decides[order.get(0)]++;
        }
        for (int one : decides) {
            assertThat(one).isBetween(100, 300);
        }
    }
}
