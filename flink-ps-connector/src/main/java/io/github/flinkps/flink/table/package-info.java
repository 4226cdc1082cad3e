/**
 * Models in SQL and the Table API: their definitions, columns and options, and the places of their
 * versions. Used by the thread that plans the job.
 */
package io.github.flinkps.flink.table;
