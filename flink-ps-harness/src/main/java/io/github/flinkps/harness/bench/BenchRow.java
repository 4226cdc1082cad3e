package io.github.flinkps.harness.bench;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One line of the report.
 *
 * @param name begins with {@code dense} or {@code sparse}
 * @param keys of an operation
 * @param gigabytesPerSecond bytes of frames both ways, as encoded
 */
record BenchRow(
        @JsonProperty("case") String name,
        String op,
        int keys,
        int width,
        int servers,
        int clients,
        double keysPerSecond,
        double gigabytesPerSecond,
        double p50Micros,
        double p99Micros,
        double p999Micros) {}
