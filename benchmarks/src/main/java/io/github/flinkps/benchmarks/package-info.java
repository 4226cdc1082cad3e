/**
 * JMH benchmarks of the parts: codec, store and optimizers. Run one with {@code java -cp ..
 * org.openjdk.jmh.Main NAME}; what a whole service does is measured by {@code flink-ps bench}.
 */
package io.github.flinkps.benchmarks;
