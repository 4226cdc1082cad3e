package io.github.flinkps.flink.ml.param;

/** The parameters of stages that train without end. */
public interface OnlineParams<T> extends HasSaveInterval<T>, HasKeptVersions<T> {}
