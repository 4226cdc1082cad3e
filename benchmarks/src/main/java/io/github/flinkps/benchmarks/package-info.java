/**
 * JMH benchmarks of the parts: codec, store and optimizers. Run them with {@code bin/jmh NAME},
 * which takes JMH's options; what a whole service does is measured by {@code flink-ps bench}.
 */
package io.github.flinkps.benchmarks;
