/**
 * The only place that names Flink's internal types: how an operator gets its mailbox, and what can
 * be asked of a stream's graph. What lives here is called by Flink on the task's thread, or while a
 * job is put together on the client's.
 */
package io.github.flinkps.flink.internal.compat;
