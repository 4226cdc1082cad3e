package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.algorithm.KeyCollector;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.InputException;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.LibsvmRecipe;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowFormat;
import io.github.flinkps.flink.data.RowPreview;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelTable;
import io.github.flinkps.model.RowBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Finds out whether a model knows any key of the rows that it is to score. An unknown key counts
 * for nothing in a row. Where all keys are unknown the rows are of other data, and their scores
 * would say nothing.
 *
 * <p>Looks up as many keys at a time as fit some memory, and stops at the first that is known:
 * after one partition of the model, as a rule.
 */
final class KnownFeatures implements KeyCollector {
    private static final long READ_MEMORY = 256L << 20;
    private static final int MOST_KEYS = 1 << 16;

    private final ModelReader reader;
    private final TrainingModel model;
    private final List<ModelTable> tables = new ArrayList<>();
    private final long[][] keys;
    private final int[] counts;
    private long rows;
    private boolean any;
    private boolean known;

    private KnownFeatures(ModelReader reader, TrainingModel model) {
        this.reader = reader;
        this.model = model;
        model.tables().forEach(spec -> tables.add(reader.manifest().table(spec.name())));
        this.keys = new long[tables.size()][0];
        this.counts = new int[tables.size()];
    }

    /**
     * Reads rows until one has a key that is in a sparse table of the model. What is wrong with the
     * model or a row is left to who loads them.
     *
     * @throws CommandException if there are keys but none that is known
     */
    static void check(SavedModel saved, RowsInput input) {
        TrainingModel model = saved.model();
        RowsInput written =
                input.recipe() instanceof LibsvmRecipe libsvm
                        ? input.withRecipe(libsvm.ofWrittenIndices())
                        : input;
        RowFormat format = written.format(model, Labels.ANY);
        if (format == null || !input.isWhole()) {
            return;
        }
        try (BufferAllocator allocator = new RootAllocator(READ_MEMORY);
                ModelReader reader =
                        ModelReader.open(
                                new LocalModelStorage(),
                                LocalModelStorage.path(saved.directory()),
                                allocator)) {
            KnownFeatures features = new KnownFeatures(reader, model);
            if (features.tables.stream().noneMatch(KnownFeatures::isSearched)) {
                return;
            }
            RowPreview.scan(input.paths(), format, features::isLookedFor);
            if (!features.known) {
                features.lookUp();
            }
            if (features.any && !features.known) {
                throw new CommandException(
                        input.option()
                                + ": the model knows none of the features of the "
                                + features.rows
                                + " rows of "
                                + input.describe()
                                + ": it was trained on others");
            }
        } catch (InputException | PsException | IllegalArgumentException e) {
            return; // the job will say what is wrong, and where
        }
    }

    private static boolean isSearched(ModelTable table) {
        return table.spec().isSparse() && table.rows() > 0;
    }

    private boolean isLookedFor(RowBatch batch) {
        model.touch(batch, 0, batch.rows(), this);
        rows += batch.rows();
        if (Arrays.stream(counts).sum() >= MOST_KEYS) {
            lookUp();
        }
        return !known;
    }

    /** Looks for the keys gathered so far, and forgets them. */
    private void lookUp() {
        for (int table = 0; table < counts.length && !known; table++) {
            long[] wanted = Arrays.copyOf(keys[table], counts[table]);
            Arrays.sort(wanted);
            String name = tables.get(table).spec().name();
            int files = wanted.length == 0 ? 0 : tables.get(table).files().size();
            for (int partition = 0; partition < files && !known; partition++) {
                reader.read(name, partition, block -> lookUp(wanted, block));
            }
        }
        Arrays.fill(counts, 0);
    }

    private void lookUp(long[] wanted, RowBlock block) {
        for (int row = 0; row < block.rows() && !known; row++) {
            known = Arrays.binarySearch(wanted, block.keys()[row]) >= 0;
        }
    }

    @Override
    public void add(int table, long[] more, int from, int to) {
        for (int i = from; i < to; i++) {
            add(table, more[i]);
        }
    }

    @Override
    public void add(int table, long key) {
        if (!isSearched(tables.get(table))) {
            return;
        }
        any = true;
        int count = counts[table]++;
        if (count == keys[table].length) {
            keys[table] = Arrays.copyOf(keys[table], Math.max(1024, 2 * count));
        }
        keys[table][count] = key;
    }

    @Override
    public void range(int table, long fromKey, long toKey) {}

    @Override
    public long seed() {
        return 0;
    }
}
