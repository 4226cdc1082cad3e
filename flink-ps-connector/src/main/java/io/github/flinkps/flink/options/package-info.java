/**
 * The options of jobs: each declared once, with its range and where it is taken, and checked in one
 * place. Used by the thread that builds the job.
 */
package io.github.flinkps.flink.options;
