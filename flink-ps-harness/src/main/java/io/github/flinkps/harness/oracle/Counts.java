package io.github.flinkps.harness.oracle;

/**
 * The counts of a run, and their differences from what they must have been. One thread.
 *
 * <p>Keys of the tables are numbered one after the other: those of rows of their own, those shared,
 * twice as there are two values, the total.
 */
final class Counts {
    private static final int SHARED = OracleModel.SHARED_KEYS;

    private final int numbers;
    private final double[] values;

    /**
     * @param numbers keys of rows of their own
     */
    Counts(int numbers) {
        this.numbers = numbers;
        this.values = new double[numbers + 2 * SHARED + 1];
    }

    /** Returns those of rows that each were counted so often. */
    static Counts of(int[] times) {
        Counts counts = new Counts(times.length);
        for (int number = 0; number < times.length; number++) {
            counts.add(0, number, 0, times[number]);
            counts.add(1, number % SHARED, 0, times[number]);
            counts.add(1, number % SHARED, 1, 2.0 * times[number]);
            counts.add(2, 0, 0, times[number]);
        }
        return counts;
    }

    private int place(int table, long key, int column) {
        return switch (table) {
            case 0 -> Math.toIntExact(key);
            case 1 -> numbers + 2 * Math.toIntExact(key) + column;
            default -> numbers + 2 * SHARED;
        };
    }

    void set(int table, long key, int column, double value) {
        values[place(table, key, column)] = value;
    }

    void add(int table, long key, int column, double more) {
        values[place(table, key, column)] += more;
    }

    /** Returns how often the row of a number was counted. */
    int own(int number) {
        return (int) values[number];
    }

    /**
     * Differences, by keys.
     *
     * @param keys that were compared
     * @param lost those with less than there must be
     * @param doubled those with more
     */
    record Difference(long keys, long lost, long doubled) {
        static final Difference NONE = new Difference(0, 0, 0);

        Difference plus(Difference other) {
            return new Difference(keys + other.keys, lost + other.lost, doubled + other.doubled);
        }

        boolean none() {
            return lost == 0 && doubled == 0;
        }
    }

    /** Returns how these differ from those that must be. */
    Difference from(Counts wanted) {
        long lost = 0;
        long doubled = 0;
        for (int i = 0; i < values.length; i++) {
            lost += values[i] >= wanted.values[i] ? 0 : 1; // NaN is no count
            doubled += values[i] > wanted.values[i] ? 1 : 0;
        }
        return new Difference(values.length, lost, doubled);
    }

    /** Returns up to five examples of differences, for people. */
    String examples(Counts wanted) {
        StringBuilder text = new StringBuilder();
        int left = 5;
        for (int i = 0; i < values.length && left > 0; i++) {
            if (values[i] != wanted.values[i]) {
                left--;
                text.append(text.isEmpty() ? "" : ", ")
                        .append(
                                i < numbers
                                        ? "own " + i
                                        : i < values.length - 1 ? "shared" : "total")
                        .append(" is ")
                        .append(values[i])
                        .append(" not ")
                        .append(wanted.values[i]);
            }
        }
        return text.toString();
    }
}
