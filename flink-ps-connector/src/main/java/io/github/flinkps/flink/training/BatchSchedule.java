package io.github.flinkps.flink.training;

import io.github.flinkps.common.KeyHash;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Which mini-batch comes when: in the first pass as they fill, in the others all of them in an
 * order drawn anew for each pass (whole mini-batches move, so that servers still know their key
 * lists), or their rows dealt into new ones (see {@link Shuffle}). The order depends on the seed,
 * the worker and the pass only.
 */
final class BatchSchedule implements AutoCloseable {
    private final BatchAssembler assembler;
    private final RowCache cache;
    private final int epochs;
    private final long seed;
    private final int worker;
    private boolean newKeys;
    private ValidationRows validation;
    private boolean validationOpened;
    private RowDealer dealer;
    private long cachedRows;
    private boolean inputEnded;
    private boolean stopped;
    private int epoch;
    private long number;
    private int[] order = new int[0];
    private long batches;

    /** The schedule of one pass has no use for a cache: null. */
    BatchSchedule(BatchAssembler assembler, RowCache cache, int epochs, long seed, int worker) {
        this.assembler = assembler;
        this.cache = cache;
        this.epochs = epochs;
        this.seed = seed;
        this.worker = worker;
    }

    /** Mini-batches come without the keys they had in the pass before. */
    BatchSchedule withNewKeysEachPass() {
        newKeys = true;
        return this;
    }

    /** From the second pass on rows are dealt anew, within windows of so many bytes. */
    BatchSchedule withShuffledRows(long windowBytes) {
        dealer = cache == null ? null : new RowDealer(cache, assembler.batchSize(), windowBytes);
        return this;
    }

    /** Some rows validate, and after each pass it waits for {@link #resume}. */
    BatchSchedule withValidation(ValidationRows rows) {
        validation = rows;
        return this;
    }

    /** The rows that validate, or null. */
    ValidationRows validation() {
        return validation;
    }

    void add(RowBatch rows) throws TrainingException {
        assembler.add(validation == null ? rows : validation.split(rows));
    }

    /** The mini-batch that takes the next record; say {@link #appended} after adding to it. */
    RowBatchBuilder open() {
        validationOpened = validation != null && validation.takesNext();
        return validationOpened ? validation.open() : assembler.open();
    }

    void appended(int rows) throws TrainingException {
        if (validationOpened) {
            validation.appended(rows);
        } else {
            assembler.appended(rows);
        }
    }

    /** No rows will come: what is unfilled is the last mini-batch of each pass. */
    void endOfInput() throws TrainingException {
        if (validation != null) {
            validation.endOfInput();
        }
        assembler.flush();
        inputEnded = true;
    }

    /**
     * No rows will come and no further pass begins: what is left of the first pass is all there is.
     *
     * @return whether anything is left out
     */
    boolean endNow() throws TrainingException {
        boolean more = epochs > 1 && !exhausted();
        endOfInput();
        stopped = true;
        return more;
    }

    /** Trains what is there although it does not fill a mini-batch. */
    void flush() {
        assembler.flush();
    }

    long waitingRows() {
        return assembler.waitingRows();
    }

    int openRows() {
        return assembler.openRows();
    }

    /** The next mini-batch, or null when there is none now. */
    PlannedBatch next() throws TrainingException {
        if (stopped && epoch > 0) {
            return null;
        }
        if (epoch == 0 && cache != null && number < cache.size()) {
            return new PlannedBatch(cached((int) number), 0, number++);
        }
        if (epoch == 0) {
            MiniBatch filled = assembler.poll();
            if (filled != null) {
                if (epochs > 1) {
                    cachedRows += filled.size();
                    cache.add(newKeys || dealer != null ? filled.unprepared() : filled);
                }
                return new PlannedBatch(filled, 0, number++);
            }
            if (!inputEnded || validation != null || stopped) {
                return null;
            }
            beginEpoch(1);
        } else if (number == batches) {
            if (validation != null) {
                return null;
            }
            beginEpoch(epoch + 1);
        }
        if (epoch >= epochs || batches == 0) {
            return null;
        }
        return new PlannedBatch(dealer != null ? dealer.next() : again(), epoch, number++);
    }

    /**
     * Where it stands.
     *
     * @param untrained mini-batches that it has given out but that have not been trained, in order
     */
    ScheduleState save(List<PlannedBatch> untrained) throws TrainingException {
        List<RowBatch> waiting = new ArrayList<>();
        List<RowBatch> again = new ArrayList<>();
        if (cache == null) {
            for (PlannedBatch planned : untrained) {
                MiniBatch batch = planned.batch();
                waiting.add(batch.rows.slice(batch.from, batch.to));
            }
        } else {
            for (int i = 0; i < cache.size(); i++) {
                MiniBatch batch = cache.get(i);
                again.add(batch.rows.slice(batch.from, batch.to));
            }
        }
        assembler.copyInto(waiting);
        boolean none = untrained.isEmpty();
        return new ScheduleState(
                none ? epoch : untrained.get(0).epoch(),
                none ? number : untrained.get(0).number(),
                waiting,
                assembler.openRows() > 0,
                again);
    }

    /** Goes on from where another stood, before any row has come. */
    void restore(ScheduleState from) throws TrainingException {
        for (RowBatch rows : from.cached()) {
            cachedRows += rows.rows();
            cache.add(new MiniBatch(rows, 0, rows.rows()));
        }
        int filled = from.waiting().size() - (from.unfilled() ? 1 : 0);
        for (int i = 0; i < filled; i++) {
            assembler.addFilled(from.waiting().get(i));
        }
        if (from.unfilled()) {
            assembler.add(from.waiting().get(filled));
        }
        if (from.epoch() > 0) {
            beginEpoch(from.epoch());
            for (long skipped = 0; dealer != null && skipped < from.number(); skipped++) {
                dealer.next();
            }
        }
        number = from.number();
    }

    /** The pass that has ended and waits for {@link #resume}, or a negative number. */
    int endedEpoch() {
        boolean ended = epoch == 0 ? inputEnded && assembler.isEmpty() : number == batches;
        return validation != null && ended && epoch < epochs ? epoch : -1;
    }

    /** After a pass: begins the next one, or none if it was the last. */
    void resume(boolean last) {
        beginEpoch(last ? epochs : epoch + 1);
    }

    private MiniBatch again() throws TrainingException {
        int at = (int) number;
        MiniBatch again = cached(order[at]);
        if (at + 1 < order.length) {
            cache.readAhead(order[at + 1]);
        }
        return again;
    }

    private MiniBatch cached(int at) throws TrainingException {
        MiniBatch again = cache.get(at);
        return newKeys ? again.unprepared() : again;
    }

    private void beginEpoch(int next) {
        epoch = Math.min(next, epochs);
        number = 0;
        if (epoch >= epochs || cache == null) {
            order = new int[0];
            batches = 0;
            return;
        }
        order = order(cache.size(), seed, worker, epoch);
        batches = order.length;
        if (dealer != null) {
            batches = -Math.floorDiv(-cachedRows, assembler.batchSize());
            dealer.begin(order, new SplittableRandom(~drawSeed(seed, worker, epoch)));
        }
    }

    private static long drawSeed(long seed, int worker, int epoch) {
        return KeyHash.mix64(KeyHash.mix64(KeyHash.mix64(seed) + worker) + epoch);
    }

    /** A permutation of {@code 0..count-1}. */
    static int[] order(int count, long seed, int worker, int epoch) {
        SplittableRandom random = new SplittableRandom(drawSeed(seed, worker, epoch));
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    /** Whether every mini-batch of every pass has been given out. */
    boolean exhausted() {
        if (stopped) {
            return epoch > 0 || assembler.isEmpty() && (cache == null || number == cache.size());
        }
        return validation == null ? lastIsGiven() : epoch >= epochs;
    }

    private boolean lastIsGiven() {
        return inputEnded
                && assembler.isEmpty()
                && (epoch >= epochs
                        || epochs == 1
                        || cache.size() == 0
                        || (epoch == epochs - 1 && number == batches));
    }

    /** Passes that are trained, the last maybe in part. */
    int passes() {
        return stopped ? Math.min(epoch + 1, epochs) : epochs;
    }

    @Override
    public void close() {
        if (dealer != null) {
            dealer.close();
        }
        if (cache != null) {
            cache.close();
        }
        if (validation != null) {
            validation.close();
        }
    }
}
