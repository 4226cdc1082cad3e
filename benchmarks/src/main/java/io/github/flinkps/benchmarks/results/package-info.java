/**
 * What models reach on data sets whose references are known, by {@code bin/results}: whole
 * commands, run in this process by the thread that asks.
 */
package io.github.flinkps.benchmarks.results;
