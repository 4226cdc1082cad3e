/**
 * Training rows: in columns ({@link io.github.flinkps.flink.data.RowBatch}), their text formats,
 * and the sources that read or generate them. Formats and block readers run on a source's fetcher
 * thread, planning of files on the source coordinator's worker thread; batches are immutable and
 * may cross threads, builders belong to one thread.
 */
package io.github.flinkps.flink.data;
