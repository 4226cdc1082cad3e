package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PartitionRoundTest {
    /** Pushes are told apart by their slices here. */
    private static List<Integer> slices(PartitionRound round, int worker) {
        List<Integer> slices = new ArrayList<>();
        round.each(
                worker,
                (of, push, slice) -> {
                    assertThat(of).isEqualTo(worker);
                    slices.add(slice);
                });
        return slices;
    }

    @Test
    void pushesOfAWorkerStayInTheOrderTheyCame() {
        long seed = System.nanoTime();
        System.out.println("PartitionRoundTest seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        PartitionRound round = new PartitionRound();
        for (int again = 0; again < 20; again++) {
            TreeMap<Integer, List<Integer>> expected = new TreeMap<>();
            int pushes = random.nextInt(40);
            for (int slice = 0; slice < pushes; slice++) {
                int worker = random.nextInt(1, 12);
                round.add(worker, null, slice);
                expected.computeIfAbsent(worker, of -> new ArrayList<>()).add(slice);
            }
            for (int worker = 0; worker < 14; worker++) {
                assertThat(slices(round, worker))
                        .isEqualTo(expected.getOrDefault(worker, List.of()));
                assertThat(round.has(worker)).isEqualTo(expected.containsKey(worker));
            }
            round.clear();
        }
    }
}
