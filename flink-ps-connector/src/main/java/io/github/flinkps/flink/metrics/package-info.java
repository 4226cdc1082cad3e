/**
 * Exact measures of predictions. Plain Java without Flink, so that the command line uses them too;
 * an instance belongs to one thread.
 */
package io.github.flinkps.flink.metrics;
