/** Small programs to start from; each is a Flink job with a {@code main}. */
package io.github.flinkps.examples;
