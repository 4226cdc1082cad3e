/**
 * Our estimators beside those of Flink ML, by {@code bin/flink-ml-benchmark}: programs in processes
 * of their own, one after the other, which the thread that asks starts and watches.
 */
package io.github.flinkps.benchmarks.flinkml;
