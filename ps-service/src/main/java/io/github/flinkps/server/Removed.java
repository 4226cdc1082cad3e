package io.github.flinkps.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** Takes elements out of a collection, so that what is done with them finds it without them. */
final class Removed {
    private Removed() {}

    /**
     * Removes the elements that meet the condition, and returns them in their order. They must not
     * be entries of a map, which may be others once they are removed.
     */
    static <T> List<T> from(Collection<T> all, Predicate<? super T> condition) {
        List<T> removed = new ArrayList<>();
        for (Iterator<T> left = all.iterator(); left.hasNext(); ) {
            T element = left.next();
            if (condition.test(element)) {
                left.remove();
                removed.add(element);
            }
        }
        return removed;
    }
}
