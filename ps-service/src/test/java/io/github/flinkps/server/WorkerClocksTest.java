package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WorkerClocksTest {
    @Test
    void clocksNeverGoBackAndIdleWorkersAreNotWaitedFor() {
        WorkerClocks clocks = new WorkerClocks(3);
        clocks.advance(0, 4);
        clocks.advance(1, 6);
        assertThat(clocks.lowest()).isZero();
        assertThat(clocks.laggard()).isEqualTo(2);
        assertThat(clocks.idle(2)).isTrue();
        assertThat(clocks.lowest()).isEqualTo(4);
        clocks.rejoin(2, 0);
        assertThat(clocks.clock(2)).isEqualTo(4);
        clocks.advance(2, 1);
        assertThat(clocks.clock(2)).isEqualTo(4);
        for (int worker = 0; worker < 3; worker++) {
            clocks.finish(worker);
        }
        assertThat(clocks.lowest()).isEqualTo(WorkerClocks.INFINITE);
        assertThat(clocks.isFinished(0)).isTrue();
    }

    /** Owners learn apart of a worker that is idle: a clock of one of them may be behind. */
    @Test
    void whoRejoinsIsNotBehindWhereItWasIdle() {
        WorkerClocks clocks = new WorkerClocks(2);
        clocks.advance(0, 4);
        clocks.advance(1, 6);
        clocks.idle(1);
        clocks.rejoin(1, 5);
        assertThat(clocks.clock(1)).isEqualTo(6);
        clocks.idle(1);
        clocks.rejoin(1, 8);
        assertThat(clocks.clock(1)).isEqualTo(8);
        clocks.idle(1);
        clocks.rejoin(1, 0);
        assertThat(clocks.clock(1)).isEqualTo(8);
    }

    /** It may have been told of that clock before the others left. */
    @Test
    void whoRejoinsWhereNobodyIsGoesOnWhereTheSlowestWas() {
        WorkerClocks clocks = new WorkerClocks(3);
        clocks.finish(2);
        clocks.idle(0);
        clocks.advance(1, 5);
        clocks.idle(1);
        assertThat(clocks.lowest()).isEqualTo(WorkerClocks.INFINITE);
        clocks.rejoin(0, 0);
        assertThat(clocks.clock(0)).isEqualTo(5);
        assertThat(clocks.lowest()).isEqualTo(5);
    }

    /** It is told before, while it is deferred, and goes on from there. */
    @Test
    void nobodyRejoinsBeforeTheClockThatItIsTold() {
        WorkerClocks clocks = new WorkerClocks(2);
        clocks.idle(0);
        clocks.advance(1, 5);
        assertThat(clocks.rejoinsFrom()).isEqualTo(5);
        clocks.idle(1);
        assertThat(clocks.rejoinsFrom()).isEqualTo(5);
        clocks.rejoin(1, 0);
        clocks.advance(1, 7);
        assertThat(clocks.rejoinsFrom()).isEqualTo(7);
        clocks.rejoin(0, 0);
        assertThat(clocks.clock(0)).isEqualTo(7);
    }

    /** The lowest clock is not looked for among all workers. */
    @Test
    void theLowestIsThatOfAllWhateverTheyDo() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int run = 0; run < 200; run++) {
            int workers = 1 + random.nextInt(run % 10 == 0 ? 40 : 5);
            WorkerClocks clocks = new WorkerClocks(workers);
            for (int step = 0; step < 100; step++) {
                int worker = random.nextInt(workers);
                long before = clocks.lowest();
                boolean grew = false;
                boolean moved = true;
                switch (random.nextInt(8)) {
                    case 0 -> grew = clocks.idle(worker);
                    case 1, 2 -> {
                        clocks.rejoin(worker, random.nextBoolean() ? 0 : random.nextInt(100));
                        moved = false;
                    }
                    case 3 -> grew = random.nextInt(20) == 0 && clocks.finish(worker);
                    default -> {
                        if (!clocks.isIdle(worker) && !clocks.isFinished(worker)) {
                            long to = clocks.clock(worker) + random.nextInt(4);
                            grew = clocks.advance(worker, to);
                        }
                    }
                }
                long lowest = Arrays.stream(clocks.clocks()).min().orElseThrow();
                long last = Arrays.stream(clocks.clocks()).filter(each -> each == lowest).count();
                assertThat(clocks.lowest()).isEqualTo(lowest);
                for (int each = 0; each < workers; each++) {
                    assertThat(clocks.isLast(each))
                            .isEqualTo(last == 1 && clocks.clock(each) == lowest);
                }
                assertThat(grew).isEqualTo(moved && lowest > before);
            }
        }
    }
}
