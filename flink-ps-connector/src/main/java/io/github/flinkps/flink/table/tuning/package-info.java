/**
 * Options that are found by the rows of a table, for INSERT and stages of Flink ML. Planned by the
 * thread that plans the job; found in its tasks.
 */
package io.github.flinkps.flink.table.tuning;
