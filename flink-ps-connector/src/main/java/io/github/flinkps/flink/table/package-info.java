/**
 * Models as tables of SQL and of the Table API: their definitions, catalog, sinks and functions.
 */
package io.github.flinkps.flink.table;
