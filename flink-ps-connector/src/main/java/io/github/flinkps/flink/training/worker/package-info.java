/**
 * The worker: an operator that trains a model over a stream of rows. Runs on the task's thread,
 * except {@code ServiceFinder}, which looks for the servers on a thread of its own. Completions of
 * the client come on transport threads and only leave a mail for the task's thread.
 */
package io.github.flinkps.flink.training.worker;
