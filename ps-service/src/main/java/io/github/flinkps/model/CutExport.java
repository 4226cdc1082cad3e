package io.github.flinkps.model;

import io.github.flinkps.common.TableSpec;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;

/** Makes models of cuts. Stateless; blocks its caller with input and output. */
public final class CutExport {
    private CutExport() {}

    /**
     * Writes the model as it was at a cut, as an export at that time would have: rows are caught up
     * to the step of their partition. Pushes of rounds that were not complete are left out, and
     * their number said among the facts.
     *
     * @param directory for the model, as in {@link ModelWriter#begin}
     * @param withSlots whether the model has the optimizers' slots
     * @param catchUps of tables whose rows have steps; not asked for others
     * @param parent of the allocators that are needed
     * @return what the model's manifest says
     * @throws io.github.flinkps.common.PsException CORRUPT, IO; INVALID_ARGUMENT if something else
     *     is in the directory
     */
    public static ModelManifest toModel(
            CutReader cut,
            ModelStorage storage,
            String directory,
            boolean withSlots,
            Function<TableSpec, CatchUp> catchUps,
            BufferAllocator parent) {
        CutManifest manifest = cut.manifest();
        ModelHeader trained = manifest.header().model();
        ModelHeader header =
                new ModelHeader(
                        trained.model(),
                        trained.algorithm(),
                        trained.parameters(),
                        trained.tables(),
                        trained.input(),
                        withSlots);
        try (ModelWriter writer = ModelWriter.begin(storage, directory, header, parent)) {
            for (int t = 0; t < manifest.tables().size(); t++) {
                CutTable table = manifest.tables().get(t);
                TableSpec spec = table.layout().spec();
                CatchUp catchUp = table.layout().steps() ? catchUps.apply(spec) : null;
                for (CutPartition partition : table.partitions()) {
                    try (CutRows rows = cut.rows(t, partition.partition(), true)) {
                        Rows newest =
                                new Rows(rows, spec.width(), partition.step(), catchUp, withSlots);
                        writer.writePartition(
                                spec.name(), partition.partition(), newest, partition::step);
                    }
                }
            }
            return writer.commit(facts(manifest));
        }
    }

    private static Map<String, String> facts(CutManifest manifest) {
        Map<String, String> facts = new TreeMap<>(manifest.facts());
        facts.put("cut", manifest.header().id().directoryName());
        facts.put("run", manifest.header().id().run());
        long pushes = manifest.rounds().stream().mapToLong(StoredFile::rows).sum();
        if (pushes > 0) {
            facts.put("pushes-of-unfinished-rounds", Long.toString(pushes));
        }
        return facts;
    }

    /** Every row once, as it was last: files come newest first. */
    private static final class Rows implements Iterator<RowBlock> {
        private static final float[][] NO_SLOTS = {};

        private final CutRows rows;
        private final int width;
        private final int step;
        private final CatchUp catchUp;
        private final boolean withSlots;
        private final KeySet seen = new KeySet();
        private RowBlock next;

        Rows(CutRows rows, int width, long step, CatchUp catchUp, boolean withSlots) {
            this.rows = rows;
            this.width = width;
            this.step = (int) step;
            this.catchUp = catchUp;
            this.withSlots = withSlots;
        }

        @Override
        public boolean hasNext() {
            if (next == null) {
                RowBlock block = rows.next();
                next = block == null ? null : newest(block);
            }
            return next != null;
        }

        @Override
        public RowBlock next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            RowBlock block = next;
            next = null;
            return block;
        }

        /** The rows not seen in later files, moved together and caught up. */
        private RowBlock newest(RowBlock block) {
            boolean last = rows.filesLeft() == 0;
            int count = 0;
            for (int i = 0; i < block.rows(); i++) {
                long key = block.keys()[i];
                if (last ? !seen.contains(key) : seen.add(key)) {
                    if (count < i) {
                        move(block, i, count);
                    }
                    count++;
                }
            }
            if (catchUp != null) {
                for (int i = 0; i < count; i++) {
                    // The steps of rows are modulo 2^32.
                    int elapsed = step - block.steps()[i];
                    if (elapsed > 0) {
                        catchUp.apply(block.values(), i * width, (i + 1) * width, elapsed);
                    }
                }
            }
            float[][] slots = withSlots ? block.slots() : NO_SLOTS;
            return new RowBlock(block.keys(), block.values(), slots, count);
        }

        private void move(RowBlock block, int from, int to) {
            block.keys()[to] = block.keys()[from];
            System.arraycopy(block.values(), from * width, block.values(), to * width, width);
            for (float[] slot : block.slots()) {
                System.arraycopy(slot, from * width, slot, to * width, width);
            }
            if (block.steps() != null) {
                block.steps()[to] = block.steps()[from];
            }
        }
    }
}
