package io.github.flinkps.server;

/**
 * Counts the optimizer's steps of an attempt at an owner thread: rounds that are over under BSP,
 * else mini-batches of all workers. Partitions catch up with it when they are touched. Confined to
 * the owner thread.
 */
final class StepCount {
    private final boolean rounds;
    private long count;

    /**
     * @param rounds whether rounds are counted, not mini-batches
     */
    StepCount(boolean rounds) {
        this.rounds = rounds;
    }

    boolean countsRounds() {
        return rounds;
    }

    long count() {
        return count;
    }

    /** Counts a mini-batch. */
    void addBatch() {
        count++;
    }

    /** Counts all rounds before a clock. */
    void roundsBefore(long clock) {
        count = Math.max(count, clock);
    }
}
