/**
 * The worker: an operator that trains a model over a stream of rows, or scores rows with one.
 * Everything here runs on the task's thread, but {@code ServiceFinder}, which looks for the servers
 * on a thread of its own, and the reading of {@code SpillFile}s, one mini-batch ahead, on another;
 * completions of the client come on transport threads and only leave a mail for the task's thread.
 */
package io.github.flinkps.flink.training;
