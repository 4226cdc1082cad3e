package io.github.flinkps.flink.training.cut;

import io.github.flinkps.model.cut.ManifestRef;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Manifests of an attempt's cuts, by number, that another may add to. Any thread; {@link #guard} is
 * held while one is looked up and that of a cut that adds to it written, and while cuts are
 * removed.
 */
final class ManifestCache {
    private final ConcurrentSkipListMap<Long, ManifestRef> byNumber = new ConcurrentSkipListMap<>();
    private final ReentrantLock guard = new ReentrantLock();

    ReentrantLock guard() {
        return guard;
    }

    /** Returns the manifest of a cut, or null if it is not known. */
    ManifestRef get(long cut) {
        return byNumber.get(cut);
    }

    void put(long cut, ManifestRef manifest) {
        byNumber.put(cut, manifest);
    }

    void forget(long cut) {
        byNumber.remove(cut);
    }

    /** Forgets the oldest beyond a number. */
    void keepNewest(int most) {
        while (byNumber.size() > most) {
            byNumber.pollFirstEntry();
        }
    }

    Set<Long> numbers() {
        return Map.copyOf(byNumber).keySet();
    }
}
