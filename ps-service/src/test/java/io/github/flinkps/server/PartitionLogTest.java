package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.WorkerClocks.Place;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.UpdateFunctions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PartitionLogTest {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final TableSpec spec = TableSpec.sparse("t", 3, UpdateSpec.of("add")).withPartitions(1);
    private final OwnerTable table = new OwnerTable(1, spec);

    @AfterEach
    void everythingIsReleased() {
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    private PartitionLog log(ConsistencySpec consistency, int workers) {
        return log(spec, consistency, workers);
    }

    private PartitionLog log(TableSpec of, ConsistencySpec consistency, int workers) {
        Partition partition = Partition.create(of, 0, UpdateFunctions.maker(of.update()).get());
        PartitionLog log =
                new PartitionLog(
                        partition,
                        ReadBound.of(consistency),
                        new RoundMerger(),
                        new WorkerClocks(workers));
        table.set(log);
        return log;
    }

    private void push(PartitionLog log, int worker, long[] hashes, float[] gradients) {
        ByteBuf frame = allocator.directBuffer(4 * gradients.length);
        FloatBuffer floats =
                frame.nioBuffer(0, 4 * gradients.length)
                        .order(ByteOrder.nativeOrder())
                        .asFloatBuffer();
        floats.put(0, gradients);
        KeyRows rows = KeyRows.of(table, hashes);
        rows.prepare(true);
        log.push(worker, new Contribution(rows, 0, frame, floats, 1));
        frame.release();
    }

    private float[] read(PartitionLog log, long[] hashes) {
        int[] rows = new int[hashes.length];
        log.partition().resolve(hashes, 0, hashes.length, rows);
        FloatBuffer out = FloatBuffer.allocate(3 * hashes.length);
        log.partition().gather(hashes, rows, 0, hashes.length, out);
        return out.array();
    }

    @Test
    void entriesAreTakenOnceAndThoseBelowTheWindowRefused() {
        assertThat(WorkerClocks.place(0, 0)).isEqualTo(Place.NEXT);
        assertThat(WorkerClocks.place(0, 1)).isEqualTo(Place.EARLY);
        assertThat(WorkerClocks.place(5000, 5000)).isEqualTo(Place.NEXT);
        assertThat(WorkerClocks.place(5000, 4999)).isEqualTo(Place.DONE);
        assertThat(WorkerClocks.place(5000, 5000 - WorkerClocks.WINDOW)).isEqualTo(Place.DONE);
        assertThatThrownBy(() -> WorkerClocks.place(5000, 4999 - WorkerClocks.WINDOW))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.SEQUENCE_TOO_OLD));
    }

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

    /** Two workers' mini-batches are one step of the schedule, together or one after the other. */
    @Test
    void schedulesReadRoundsWhateverTheConsistency() {
        UpdateSpec halving = UpdateSpec.sgd(1).with("step-every", 1).with("step-factor", .5);
        TableSpec scheduled = TableSpec.sparse("t", 3, halving).withPartitions(1);
        long[] row = {7};
        for (ConsistencySpec consistency :
                new ConsistencySpec[] {
                    ConsistencySpec.bsp(), ConsistencySpec.ssp(1), ConsistencySpec.asp()
                }) {
            PartitionLog log = log(scheduled, consistency, 2);
            for (int clock = 1; clock <= 3; clock++) {
                for (int worker = 0; worker < 2; worker++) {
                    push(log, worker, row, new float[] {1, 2, -4});
                    log.clock(worker, clock, 1);
                }
            }
            // the mean of a round under BSP, a step for each push else
            float sum = (1 + .5f + .25f) * (consistency.equals(ConsistencySpec.bsp()) ? 1 : 2);
            assertThat(read(log, row)).containsExactly(-sum, -2 * sum, 4 * sum);
        }
    }

    /** A worker ahead pushes before the one behind it; rounds are applied in their order. */
    @Test
    void roundsAreAppliedByClockNotByArrival() {
        PartitionLog log = log(ConsistencySpec.bsp(), 2);
        long[] row = {7};
        log.clock(0, 1, 1); // nothing in round 0
        push(log, 0, row, new float[] {10, 10, 10});
        push(log, 1, row, new float[] {1, 1, 1}); // round 0
        log.clock(1, 1, 1);
        assertThat(read(log, row)).containsExactly(1, 1, 1);
        assertThat(log.partition().step()).isEqualTo(1);
        log.clock(0, 2, 1);
        assertThat(read(log, row)).containsExactly(1, 1, 1);
        log.deregister(1);
        assertThat(read(log, row)).containsExactly(11, 11, 11);
        push(log, 0, row, new float[] {5, 5, 5});
        log.release();
        assertThat(read(log, row)).containsExactly(11, 11, 11);
    }

    @Test
    void aRoundIsTheSumInTheOrderOfWorkersToTheBit() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int run = 0; run < 50; run++) {
            int workers = 1 + random.nextInt(5);
            PartitionLog log = log(ConsistencySpec.bsp(), workers);
            long[] all = random.longs(40).toArray();
            float[][] pushes = new float[2 * workers][];
            long[][] keys = new long[2 * workers][];
            Integer[] turns = new Integer[2 * workers];
            for (int i = 0; i < turns.length; i++) {
                turns[i] = i;
                keys[i] = some(all, random, run % 3 == 0);
                pushes[i] = new float[3 * keys[i].length];
                for (int j = 0; j < pushes[i].length; j++) {
                    pushes[i][j] = (float) random.nextGaussian();
                }
            }
            // Workers in any order; each its two pushes in order.
            java.util.Collections.shuffle(java.util.Arrays.asList(turns), random);
            int[] done = new int[workers];
            for (int turn : turns) {
                int worker = turn / 2;
                int push = 2 * worker + done[worker]++;
                push(log, worker, keys[push], pushes[push]);
            }
            for (int worker = 0; worker < workers; worker++) {
                log.clock(worker, 1, 1);
            }
            for (long key : all) {
                float[] sum = null;
                for (int i = 0; i < pushes.length; i++) {
                    for (int j = 0; j < keys[i].length; j++) {
                        if (keys[i][j] == key) {
                            float[] row = new float[3];
                            for (int c = 0; c < 3; c++) {
                                row[c] = (sum == null ? 0 : sum[c]) + pushes[i][3 * j + c];
                            }
                            sum = row;
                        }
                    }
                }
                assertThat(read(log, new long[] {key})).isEqualTo(sum == null ? new float[3] : sum);
            }
        }
    }

    private static long[] some(long[] all, Random random, boolean every) {
        TreeSet<Long> chosen = new TreeSet<>(Long::compareUnsigned);
        for (long key : all) {
            if (every || random.nextInt(3) > 0) {
                chosen.add(key);
            }
        }
        return chosen.stream().mapToLong(Long::longValue).toArray();
    }
}
