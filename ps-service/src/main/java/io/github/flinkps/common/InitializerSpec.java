package io.github.flinkps.common;

import java.io.Serializable;

/**
 * The rule for the values of a row that training has not touched. It is a pure function of the
 * table's seed, the key and the column, so that every server and every reader gives the same. The
 * two numbers mean: nothing (zero), the value (constant), inclusive lower and exclusive upper bound
 * (uniform), mean and standard deviation (normal).
 */
public record InitializerSpec(Kind kind, float a, float b) implements Serializable {
    /**
     * The kinds of initial values; the ids stand on the wire and in model files and never change.
     */
    public enum Kind {
        ZERO(0),
        CONSTANT(1),
        UNIFORM(2),
        NORMAL(3);

        private final int id;

        Kind(int id) {
            this.id = id;
        }

        public int id() {
            return id;
        }

        public static Kind ofId(int id) {
            for (Kind kind : values()) {
                if (kind.id == id) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("unknown initializer " + id);
        }
    }

    public InitializerSpec {
        if (!Float.isFinite(a) || !Float.isFinite(b)) {
            throw new IllegalArgumentException(
                    "initializer needs finite numbers, not " + a + ", " + b);
        }
        if (kind == Kind.UNIFORM && a > b) {
            throw new IllegalArgumentException(
                    "initializer uniform needs low <= high, not " + a + ", " + b);
        }
        if (kind == Kind.NORMAL && b < 0) {
            throw new IllegalArgumentException(
                    "initializer normal needs a deviation of at least 0, not " + b);
        }
    }

    public static InitializerSpec zero() {
        return new InitializerSpec(Kind.ZERO, 0, 0);
    }

    public static InitializerSpec constant(float value) {
        return new InitializerSpec(Kind.CONSTANT, value, 0);
    }

    public static InitializerSpec uniform(float low, float high) {
        return new InitializerSpec(Kind.UNIFORM, low, high);
    }

    public static InitializerSpec normal(float mean, float deviation) {
        return new InitializerSpec(Kind.NORMAL, mean, deviation);
    }
}
