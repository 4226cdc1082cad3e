/** Workers that score rows with a model, and emit the scores. Runs on the task's thread. */
package io.github.flinkps.flink.training.scoring;
