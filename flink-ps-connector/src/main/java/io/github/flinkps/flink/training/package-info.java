/**
 * Holds what a job tells of its training, and what the packages below share: exceptions, counts,
 * and the names and serializers of operator state. Immutable, for any thread.
 */
package io.github.flinkps.flink.training;
