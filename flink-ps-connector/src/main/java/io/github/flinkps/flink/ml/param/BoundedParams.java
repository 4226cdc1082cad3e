package io.github.flinkps.flink.ml.param;

/** The parameters of stages that train on a table that ends. */
public interface BoundedParams<T> extends HasMaxIter<T>, HasTune<T> {}
