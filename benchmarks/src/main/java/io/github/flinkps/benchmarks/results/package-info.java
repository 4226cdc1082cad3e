/**
 * Measurements of models on data sets whose references are known, for {@code bin/results}. They run
 * whole commands in this process, on the thread that asks.
 */
package io.github.flinkps.benchmarks.results;
