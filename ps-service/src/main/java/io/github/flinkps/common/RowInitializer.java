package io.github.flinkps.common;

import java.nio.charset.StandardCharsets;

/**
 * The values of rows that training has not touched: {@code f(seed, table, key, column)}, a pure
 * function, the same in every process and for any number of servers.
 *
 * <p>With {@code mix} the finalizer of SplitMix64 ({@link KeyHash#mix64}), {@code G =
 * 0x9E3779B97F4A7C15} and {@code fnv} the 64-bit FNV-1a hash of the table's name in UTF-8, a row's
 * stream is {@code s = mix(mix(seed ^ fnv) + mix(key + G))} and the bits of column {@code c} are
 * {@code r = mix(s + (c + 1) * G)}. Uniform: {@code a + (b - a) * (r >>> 40) / 2^24}, below {@code
 * b}. Normal: Box-Muller with {@code u = ((r >>> 32) + .5) / 2^32} and {@code v = (r & 0xFFFFFFFF)
 * / 2^32}, {@code a + b * sqrt(-2 ln u) * cos(2 pi v)}, in double with {@link StrictMath}, rounded
 * to float at the end. Immutable and thread-safe.
 */
public final class RowInitializer {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;
    private static final double TO_UNIT_24 = 0x1p-24;
    private static final double TO_UNIT_32 = 0x1p-32;

    private final InitializerSpec spec;
    private final long base;

    public RowInitializer(InitializerSpec spec, long seed, String table) {
        this.spec = spec;
        this.base = KeyHash.mix64(seed ^ fnv1a(table));
    }

    /** Returns the initializer of a table. */
    public static RowInitializer of(TableSpec table) {
        return new RowInitializer(table.initializer(), table.seed(), table.name());
    }

    /** Returns whether every value is 0. */
    public boolean isZero() {
        return switch (spec.kind()) {
            case ZERO -> true;
            case CONSTANT, UNIFORM ->
                    spec.a() == 0
                            && (spec.kind() == InitializerSpec.Kind.CONSTANT || spec.b() == 0);
            case NORMAL -> spec.a() == 0 && spec.b() == 0;
        };
    }

    /** Returns whether the values depend on the key. */
    public boolean dependsOnKey() {
        return spec.kind() == InitializerSpec.Kind.UNIFORM
                || spec.kind() == InitializerSpec.Kind.NORMAL;
    }

    /**
     * Writes the values of the columns {@code 0 .. width-1} of a row into {@code out} from {@code
     * offset}.
     */
    public void fill(long key, float[] out, int offset, int width) {
        switch (spec.kind()) {
            case ZERO -> java.util.Arrays.fill(out, offset, offset + width, 0f);
            case CONSTANT -> java.util.Arrays.fill(out, offset, offset + width, spec.a());
            case UNIFORM -> {
                long state = state(key);
                for (int c = 0; c < width; c++) {
                    out[offset + c] = uniform(bits(state, c));
                }
            }
            case NORMAL -> {
                long state = state(key);
                for (int c = 0; c < width; c++) {
                    out[offset + c] = normal(bits(state, c));
                }
            }
        }
    }

    /** Returns one value. */
    public float value(long key, int column) {
        return switch (spec.kind()) {
            case ZERO -> 0f;
            case CONSTANT -> spec.a();
            case UNIFORM -> uniform(bits(state(key), column));
            case NORMAL -> normal(bits(state(key), column));
        };
    }

    private long state(long key) {
        return KeyHash.mix64(base + KeyHash.mix64(key + GAMMA));
    }

    private static long bits(long state, int column) {
        return KeyHash.mix64(state + (column + 1) * GAMMA);
    }

    private float uniform(long bits) {
        double a = spec.a();
        double b = spec.b();
        float value = (float) (a + (b - a) * ((bits >>> 40) * TO_UNIT_24));
        return value < spec.b() || a == b ? value : Math.nextDown(spec.b());
    }

    private float normal(long bits) {
        double u = ((bits >>> 32) + .5) * TO_UNIT_32;
        double v = (bits & 0xFFFFFFFFL) * TO_UNIT_32;
        double z = StrictMath.sqrt(-2 * StrictMath.log(u)) * StrictMath.cos(2 * Math.PI * v);
        return (float) (spec.a() + spec.b() * z);
    }

    private static long fnv1a(String name) {
        long hash = 0xCBF29CE484222325L;
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xFF)) * 0x100000001B3L;
        }
        return hash;
    }
}
