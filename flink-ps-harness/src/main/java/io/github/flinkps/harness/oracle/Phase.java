package io.github.flinkps.harness.oracle;

import java.util.Locale;

/** The phase of a job in which a fault strikes; each is observed where it happens, not guessed. */
enum Phase {
    /** A worker computes a mini-batch. */
    TRAINING,
    /** A barrier is on its way: one source has let it pass, another has not. */
    ALIGNING,
    /** A worker has sent its marker, and what it sends now is deferred, as another has not. */
    DEFERRED,
    /** All markers are in and rows are frozen; nothing of them is written. */
    FREEZING,
    /** A server writes files of a cut. */
    WRITING,
    /** A server reads files of a cut that it goes back to. */
    RESTORING,
    /** All is trained; the model is about to be saved. */
    FINISHING;

    /** Returns the name in reports. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether a checkpoint is under way. */
    boolean inCheckpoint() {
        return this == ALIGNING || this == DEFERRED || this == FREEZING || this == WRITING;
    }
}
