/**
 * The connector {@code flink-ps} of Flink SQL: its catalog, and the tables that train, look up and
 * predict. Called by the planner; look-ups and predictions run in the threads of their tasks.
 */
package io.github.flinkps.flink.table.connector;
