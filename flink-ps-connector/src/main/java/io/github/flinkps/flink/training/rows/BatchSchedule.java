package io.github.flinkps.flink.training.rows;

import io.github.flinkps.common.KeyHash;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.flink.training.TrainingException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Decides which mini-batch comes next. In the first pass they come as they fill. In the others all
 * of them come in an order drawn anew for each pass, or their rows are dealt into new ones (see
 * {@link Shuffle}). If whole mini-batches move, servers still know their key lists. The order
 * depends on the seed, the worker and the pass only.
 */
public final class BatchSchedule implements AutoCloseable {
    private final BatchAssembler assembler;
    private final RowCache cache;
    private final int epochs;
    private final long seed;
    private final int worker;
    private boolean newKeys;
    private SavedCache saved;
    private ValidationRows validation;
    private boolean validationOpened;
    private RowDealer dealer;
    private long cachedRows;
    private boolean inputEnded;
    private boolean stopped;
    private final DuePasses due = new DuePasses();
    private ScheduleState restored = ScheduleState.EMPTY;
    private int epoch;
    private long number;

    /**
     * The mini-batches left to give out of the cache, from the place {@link #first} in the pass on.
     */
    private int[] order = new int[0];

    private long first;
    private long batches;

    /** Makes a schedule; one of a single pass has no use for a cache: null. */
    public BatchSchedule(
            BatchAssembler assembler, RowCache cache, int epochs, long seed, int worker) {
        this.assembler = assembler;
        this.cache = cache;
        this.epochs = epochs;
        this.seed = seed;
        this.worker = worker;
    }

    /** Gives out mini-batches without the keys they had in the pass before. */
    public BatchSchedule withNewKeysEachPass() {
        newKeys = true;
        return this;
    }

    /** Lets rows be dealt anew from the second pass on, within windows of so many bytes. */
    public BatchSchedule withShuffledRows(long windowBytes) {
        dealer = cache == null ? null : new RowDealer(cache, assembler.firstRows(), windowBytes);
        return this;
    }

    /** Lets checkpoints refer to the cached mini-batches, in files. */
    public BatchSchedule withSavedCache(SavedCache files) {
        saved = files;
        return this;
    }

    /** Keeps some rows for validation, and waits for {@link #resume} after each pass. */
    public BatchSchedule withValidation(ValidationRows rows) {
        validation = rows;
        return this;
    }

    /** Returns the validation rows, or null. */
    public ValidationRows validation() {
        return validation;
    }

    public void add(RowBatch rows) throws TrainingException {
        assembler.add(validation == null ? rows : validation.split(rows));
    }

    /**
     * Returns the mini-batch that takes the next record; say {@link #appended} after adding to it.
     */
    public RowBatchBuilder open() {
        validationOpened = validation != null && validation.takesNext();
        return validationOpened ? validation.open() : assembler.open();
    }

    public void appended(int rows) throws TrainingException {
        if (validationOpened) {
            validation.appended(rows);
        } else {
            assembler.appended(rows);
        }
    }

    /** Says that no rows will come: what is unfilled is the last mini-batch of each pass. */
    public void endOfInput() throws TrainingException {
        if (validation != null) {
            validation.endOfInput();
        }
        assembler.flush();
        inputEnded = true;
    }

    /**
     * Says that no rows will come and no further pass begins: what is left of the first pass is all
     * there is.
     *
     * @return whether anything is left out
     */
    public boolean endNow() throws TrainingException {
        boolean more = epochs > 1 && !exhausted();
        endOfInput();
        stopped = true;
        return more;
    }

    /** Trains what is there although it does not fill a mini-batch. */
    public void flush() {
        assembler.flush();
    }

    public long waitingRows() {
        return assembler.waitingRows();
    }

    public int openRows() {
        return assembler.openRows();
    }

    /** Returns the next mini-batch, or null when there is none now. */
    public PlannedBatch next() throws TrainingException {
        if (stopped && epoch > 0) {
            return null;
        }
        if (epoch == 0) {
            if (number - first < order.length) {
                return new PlannedBatch(again(), 0, number++);
            }
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
        }
        while (number == batches && epoch < epochs) {
            if (validation != null) {
                return null;
            }
            beginEpoch(moreToCome() ? epoch + 1 : epochs);
        }
        if (epoch >= epochs) {
            return null;
        }
        return new PlannedBatch(dealer != null ? dealer.next() : again(), epoch, number++);
    }

    /**
     * Returns where it stands, for a checkpoint. Reads no rows; writes at most the rest of a spill
     * file that is still in memory.
     *
     * @param untrained mini-batches that it has given out but that have not been trained, in order
     */
    public ScheduleState save(List<PlannedBatch> untrained) throws TrainingException {
        boolean none = untrained.isEmpty();
        int atEpoch = none ? epoch : untrained.get(0).epoch();
        long atNumber = none ? number : untrained.get(0).number();
        long seen = assembler.seen() - assembler.filledRows();
        List<RowBatch> waiting = new ArrayList<>();
        List<CachedBatch> again = List.of();
        if (cache == null) {
            for (PlannedBatch planned : untrained) {
                MiniBatch batch = planned.batch();
                waiting.add(batch.rows.slice(batch.from, batch.to));
                seen -= batch.size();
            }
        } else {
            again = saveCached(atEpoch, atNumber);
        }
        assembler.copyInto(waiting);
        return new ScheduleState(atEpoch, atNumber, seen, waiting, assembler.openRows() > 0, again);
    }

    /**
     * Returns the cached mini-batches, where those before a position in a pass have been trained.
     */
    private List<CachedBatch> saveCached(int atEpoch, long atNumber) throws TrainingException {
        int[] passes = new int[cache.size()];
        for (int i = 0; i < passes.length; i++) {
            passes[i] = Math.max(due.of(i), atEpoch);
        }
        boolean dealt = dealer != null && atEpoch > 0;
        int[] inPass = orderOf(atEpoch);
        long trained = atNumber - (atEpoch == restored.epoch() ? restored.number() : 0);
        boolean begun = dealt && atNumber > 0 && atNumber < dealtBatches(atEpoch);
        if (dealt) {
            trained = atNumber > 0 && !begun ? inPass.length : 0;
        }
        for (int i = 0; i < Math.min(trained, inPass.length); i++) {
            passes[inPass[i]] = atEpoch + 1;
        }
        if (Arrays.stream(passes).allMatch(pass -> pass >= epochs)) {
            return List.of(); // there is no pass left for them
        }
        List<CachedBatch> batches = new ArrayList<>();
        for (RowFileEntry rows : saved.save(cache)) {
            int pass = passes[batches.size()];
            batches.add(new CachedBatch(pass, begun && pass == atEpoch, rows));
        }
        return batches;
    }

    /**
     * Goes on from where another stood, before any row has come.
     *
     * @throws IOException naming the file, if cached rows cannot be read
     */
    public void restore(ScheduleState from) throws TrainingException, IOException {
        restoreCached(from.cached());
        assembler.begin(from.seen());
        int filled = from.waiting().size() - (from.unfilled() ? 1 : 0);
        for (int i = 0; i < filled; i++) {
            assembler.addFilled(from.waiting().get(i));
        }
        if (from.unfilled()) {
            assembler.add(from.waiting().get(filled));
        }
        restored = new ScheduleState(from.epoch(), from.number(), 0, List.of(), false, List.of());
        beginEpoch(from.epoch());
        number = from.number();
        if (dealer != null && epoch > 0 && order.length > 0) {
            for (long skipped = 0; skipped < number; skipped++) {
                dealer.next();
            }
        } else {
            first = number;
            batches = number + order.length;
        }
    }

    private void restoreCached(List<CachedBatch> batches) throws TrainingException, IOException {
        try (RowFileReader reader = new RowFileReader()) {
            for (CachedBatch each : batches) {
                RowBatch rows = each.rows().read(reader);
                cachedRows += rows.rows();
                due.add(each.due(), rows.rows());
                cache.add(new MiniBatch(rows, 0, rows.rows()));
                if (saved != null) {
                    saved.add(each.rows());
                }
            }
        }
    }

    /** Returns the pass that has ended and waits for {@link #resume}, or a negative number. */
    public int endedEpoch() {
        boolean ended = epoch == 0 ? firstIsGiven() : number == batches;
        return validation != null && ended && epoch < epochs ? epoch : -1;
    }

    /** Begins the next pass, or none if the last one is over. Called after a pass. */
    public void resume(boolean last) {
        beginEpoch(last ? epochs : epoch + 1);
    }

    private MiniBatch again() throws TrainingException {
        int at = (int) (number - first);
        MiniBatch again = cache.get(order[at]);
        if (at + 1 < order.length) {
            cache.readAhead(order[at + 1]);
        }
        return newKeys ? again.unprepared() : again;
    }

    private void beginEpoch(int next) {
        epoch = Math.min(next, epochs);
        number = 0;
        first = 0;
        order = orderOf(epoch);
        batches = order.length;
        if (dealer != null && epoch > 0) {
            batches = dealtBatches(epoch);
            dealer.begin(order, new SplittableRandom(~drawSeed(seed, worker, epoch)));
        }
    }

    /** Returns what is to be trained in a pass of what is cached, in its order. */
    private int[] orderOf(int pass) {
        if (pass >= epochs || cache == null) {
            return new int[0];
        }
        int size = cache.size();
        int[] all =
                pass == 0 ? IntStream.range(0, size).toArray() : order(size, seed, worker, pass);
        return due.dueBy(pass, all);
    }

    /** Returns the number of mini-batches of a pass whose rows are dealt anew. */
    private long dealtBatches(int pass) {
        long rows = pass >= epochs ? 0 : cachedRows - due.rowsLater(pass);
        return -Math.floorDiv(-rows, assembler.firstRows());
    }

    /** Returns whether there is anything to train in a later pass. */
    private boolean moreToCome() {
        return epoch < epochs - 1 && cache != null && due.anyBy(epochs - 1, cache.size());
    }

    private static long drawSeed(long seed, int worker, int epoch) {
        return KeyHash.mix64(KeyHash.mix64(KeyHash.mix64(seed) + worker) + epoch);
    }

    /** Returns a permutation of {@code 0..count-1}. */
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

    /** Returns whether every mini-batch of every pass has been given out. */
    public boolean exhausted() {
        if (stopped) {
            return epoch > 0 || assembler.isEmpty() && number - first >= order.length;
        }
        if (validation != null) {
            return epoch >= epochs;
        }
        boolean given = epoch == 0 ? firstIsGiven() : epoch >= epochs || number == batches;
        return given && !moreToCome();
    }

    private boolean firstIsGiven() {
        return inputEnded && assembler.isEmpty() && number - first >= order.length;
    }

    /** Returns whether passes were left out, see {@link #endNow}. */
    public boolean isStopped() {
        return stopped;
    }

    /** Returns the number of passes that are trained, the last maybe in part. */
    public int passes() {
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
