/**
 * The functions of SQL. Flink creates and calls them in the task threads of the query that names
 * them; all that those which measure know between two rows is in their accumulators, which are
 * Flink's state. Those that predict or train reach their model over sessions of their own, for
 * which the task's thread waits.
 */
package io.github.flinkps.flink.table.function;
