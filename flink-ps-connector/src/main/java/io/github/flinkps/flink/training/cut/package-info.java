/**
 * Takes a worker's part in cuts: sends markers, waits for what becomes of them, publishes manifests
 * and removes cuts that nobody needs. Runs on the task's thread, except what may block: publishing
 * on the thread that writes a checkpoint, removing on a thread of its own.
 */
package io.github.flinkps.flink.training.cut;
