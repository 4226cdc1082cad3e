/**
 * {@code flink-ps bench}: server processes over loopback, driven through the public client, beside
 * a bare Netty transfer of the same frames. Loads are driven by one thread per client; children end
 * when their parent does.
 */
package io.github.flinkps.harness.bench;
