/**
 * Keeps the rows of a worker: cuts them into mini-batches, decides which comes when, and keeps them
 * for later passes on the heap and in files. Runs on the task's thread; {@code SpillFile}s are read
 * one mini-batch ahead on a thread of their own, and files of a checkpoint are written on the
 * thread that writes it.
 */
package io.github.flinkps.flink.training.rows;
