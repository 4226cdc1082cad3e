/**
 * What models are in SQL and the Table API: their definitions, columns and options, and where their
 * versions are kept. Used by the thread that plans the job.
 */
package io.github.flinkps.flink.table;
