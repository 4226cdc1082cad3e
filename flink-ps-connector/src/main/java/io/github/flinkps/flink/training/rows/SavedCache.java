package io.github.flinkps.flink.training.rows;

import io.github.flinkps.flink.training.TrainingException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Records which {@link RowFile} each cached mini-batch is in. Those that have come since the last
 * barrier go into a new file at the next one. Belongs to the task's thread.
 */
public final class SavedCache {
    private final String folder;
    private final List<RowFileEntry> saved = new ArrayList<>();

    /**
     * @param folder for the files, which need not be there yet
     */
    public SavedCache(String folder) {
        this.folder = folder;
    }

    /** Adds the next of the mini-batches, which is in a file already. */
    void add(RowFileEntry rows) {
        saved.add(rows);
    }

    /** Returns all mini-batches of the cache, by number. */
    List<RowFileEntry> save(RowCache cache) throws TrainingException {
        if (saved.size() < cache.size()) {
            RowFile file = RowFile.of(folder + "/" + UUID.randomUUID());
            for (int number = saved.size(); number < cache.size(); number++) {
                saved.add(file.add(cache.source(number)));
            }
        }
        return List.copyOf(saved);
    }
}
