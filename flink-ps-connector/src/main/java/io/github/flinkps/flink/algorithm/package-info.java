/**
 * The public interface by which a model is added ({@link
 * io.github.flinkps.flink.algorithm.TrainingModel}), and the models that come with the connector. A
 * model runs on the thread of the task that trains or scores; it holds no state of its own between
 * calls beyond scratch space.
 */
package io.github.flinkps.flink.algorithm;
