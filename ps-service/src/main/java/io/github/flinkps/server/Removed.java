package io.github.flinkps.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/** Takes elements out of a collection, so that what is done with them finds it without them. */
final class Removed {
    private Removed() {}

    /**
     * Removes the elements for which it holds, and returns them in their order. They must not be
     * entries of a map, which may be others once they are removed.
     */
    static <T> List<T> from(Collection<T> all, Predicate<? super T> holds) {
        List<T> removed = new ArrayList<>();
        all.removeIf(element -> holds.test(element) && removed.add(element));
        return removed;
    }
}
