/**
 * The way in: {@link io.github.flinkps.flink.FlinkPs} adds training and scoring to a DataStream
 * job, with the options of {@link io.github.flinkps.flink.options.PsOptions}. Called on the
 * client's thread while a job is put together.
 */
package io.github.flinkps.flink;
