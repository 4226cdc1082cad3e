/**
 * Options that INSERT finds by the rows of a table. Planned by the thread that plans the job; found
 * in its tasks.
 */
package io.github.flinkps.flink.table.tuning;
