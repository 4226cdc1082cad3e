package io.github.flinkps.flink.internal.compat;

/**
 * The barrier of a checkpoint.
 *
 * @param checkpoint its number
 * @param timestamp when the checkpoint was triggered, in milliseconds; the same for all subtasks
 * @param savepoint whether it is a savepoint, which is its owner's: Flink does not go back to it by
 *     itself, also if the job was to stop with it and fails
 */
public record Barrier(long checkpoint, long timestamp, boolean savepoint) {}
