package io.github.flinkps.client;

/** Totals of one client since its start. */
public record TrafficCounters(long bytesSent, long bytesReceived, long requests, long retries) {}
