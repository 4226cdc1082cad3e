/**
 * {@code flink-ps oracle}: jobs that count, processes of its own to run them, faults at the moments
 * a seed names, and the comparison of what was trained with what must have been: of records in
 * {@code Counts}, of optimizers in {@code Steps}. {@code OracleCommand} loads nothing of Flink
 * before it runs.
 *
 * <p>What runs inside TaskManagers and servers ({@link
 * io.github.flinkps.harness.oracle.OracleHooks} and those who use it) talks to the command by files
 * in the run's folder.
 */
package io.github.flinkps.harness.oracle;
