package io.github.flinkps.server.update;

import io.github.flinkps.common.UpdateInput;
import java.util.List;

/**
 * Makes the update functions of one name, and describes them: command line, SQL, Python and
 * documents list what they say here. Found by {@link java.util.ServiceLoader}, the built-in ones
 * too. Must be stateless and thread-safe.
 */
public interface UpdateFunctionFactory {
    /** Returns the name by which a table asks for it. */
    String name();

    /** Returns a phrase that says what step it makes. */
    String description();

    /**
     * Returns what it takes of a push. A client that retains pushes back adds them up by that, so
     * it must be what {@link UpdateFunction#apply} does.
     */
    UpdateInput input();

    /** Returns its own options, without those of a schedule. */
    List<UpdateOption> options();

    /**
     * Returns whether its {@value UpdateOption#LEARNING_RATE} may follow a schedule. If so it takes
     * the options of schedules too, and reads its rate from {@link UpdateOptions#learningRate}.
     */
    default boolean isScheduled() {
        return false;
    }

    /**
     * Returns whether it goes on from values that came without slots, such as the random ones a
     * factorization begins with. Models with such values refuse one that does not.
     */
    default boolean keepsInitialValues() {
        return true;
    }

    /**
     * Makes a function for one partition.
     *
     * @param options each within its range
     * @throws IllegalArgumentException naming options that do not go together
     */
    UpdateFunction create(UpdateOptions options);
}
