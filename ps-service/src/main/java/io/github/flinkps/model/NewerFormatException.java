package io.github.flinkps.model;

/**
 * Signals data that a newer program has written, which is not damaged but cannot be read by this
 * one.
 */
public final class NewerFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public NewerFormatException(int version, int newest) {
        super(
                "format "
                        + version
                        + ", written by a newer flink-ps; this one reads up to "
                        + newest);
    }
}
