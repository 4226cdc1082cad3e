/**
 * The functions of SQL. Flink creates and calls them in the task threads of the query that names
 * them; all they know between two rows is in their accumulators, which are Flink's state.
 */
package io.github.flinkps.flink.table.function;
