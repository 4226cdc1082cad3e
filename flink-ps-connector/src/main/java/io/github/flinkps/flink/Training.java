package io.github.flinkps.flink;

import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.WorkerReport;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Training that was added to a job; it happens when the job is executed.
 *
 * @param reports one record of each worker, when it is done
 * @param progress records of the loss on the way, by worker and pass
 */
public record Training(DataStream<WorkerReport> reports, DataStream<TrainingProgress> progress) {}
