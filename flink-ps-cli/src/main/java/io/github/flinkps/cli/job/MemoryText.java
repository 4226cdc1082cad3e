package io.github.flinkps.cli.job;

import org.apache.flink.configuration.MemorySize;

/** Sizes as Flink writes them: {@code 64m}, {@code 1g}, {@code 512 kb}. */
public final class MemoryText {
    private MemoryText() {}

    /**
     * Returns its bytes.
     *
     * @throws IllegalArgumentException if it is no size
     */
    public static long bytes(String text) {
        return MemorySize.parse(text).getBytes();
    }
}
