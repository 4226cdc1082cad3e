/**
 * Defaults that fit a bounded input: how long to train, in which steps, and how strongly weights
 * are held back.
 */
package io.github.flinkps.flink.tuning;
