package io.github.flinkps.flink;

import java.time.Instant;

/**
 * A version of a model that training has published: a saved model in a directory.
 *
 * @param id its time, such as {@code 20260131T235959123Z}, and in a folder of versions its name
 *     there: a later one has a greater id
 * @param time when it was published
 * @param path of the directory
 * @param rows of all its tables
 */
public record TrainedVersion(String id, Instant time, String path, long rows) {}
