/**
 * Whole jobs beside those of other programs, on the same rows and in the same run; see {@code
 * bin/benchmark}.
 */
package io.github.flinkps.benchmarks.peers;
