/**
 * A parameter service in memory, for tests of workers and of the service source: it completes on a
 * thread of its own as a transport does, can be slow, silent or broken on purpose, and counts what
 * is open.
 */
package io.github.flinkps.flink.testing;
