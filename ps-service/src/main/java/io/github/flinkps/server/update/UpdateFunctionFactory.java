package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateSpec;
import java.util.Set;

/**
 * Makes update functions of one name; found by {@link java.util.ServiceLoader}. Must be stateless
 * and thread-safe.
 */
public interface UpdateFunctionFactory {
    /** Returns the name by which a table asks for it. */
    String name();

    /** Returns the options it understands, hyphenated. */
    Set<String> options();

    /**
     * Returns a new function for one partition.
     *
     * @throws IllegalArgumentException naming the option that is out of range
     */
    UpdateFunction create(UpdateSpec spec);
}
