package io.github.flinkps.model;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;

/** Copies models. Stateless; blocks its caller with input and output. */
public final class ModelCopy {
    private ModelCopy() {}

    /**
     * Writes a model to another directory, with all it holds. Every file is checked as it is read.
     *
     * @param directory for the copy, as in {@link ModelWriter#begin}
     * @param facts of the copy, beside those of the model; an empty one takes that of the model
     *     away
     * @param parent of the allocator that is needed
     * @return what the copy's manifest says
     * @throws io.github.flinkps.common.PsException CORRUPT, IO; INVALID_ARGUMENT if something else
     *     is in the directory
     */
    public static ModelManifest copy(
            ModelReader model,
            ModelStorage storage,
            String directory,
            Map<String, String> facts,
            BufferAllocator parent) {
        ModelManifest manifest = model.manifest();
        try (ModelWriter writer =
                ModelWriter.begin(storage, directory, manifest.header(), parent)) {
            for (ModelTable table : manifest.tables()) {
                String name = table.spec().name();
                for (ModelFile file : table.files()) {
                    try (PartitionFileReader reader = model.open(name, file.partition())) {
                        writer.writePartition(
                                name, file.partition(), new Blocks(reader), file::steps);
                    }
                }
            }
            TreeMap<String, String> all = new TreeMap<>(manifest.facts());
            all.putAll(facts);
            all.values().removeIf(String::isEmpty);
            return writer.commit(all);
        }
    }

    private static final class Blocks implements Iterator<RowBlock> {
        private final PartitionFileReader reader;
        private RowBlock next;

        Blocks(PartitionFileReader reader) {
            this.reader = reader;
        }

        @Override
        public boolean hasNext() {
            if (next == null) {
                next = reader.next();
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
    }
}
