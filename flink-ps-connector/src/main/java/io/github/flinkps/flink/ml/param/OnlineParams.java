package io.github.flinkps.flink.ml.param;

/** What stages have that train without end. */
public interface OnlineParams<T> extends HasSaveInterval<T>, HasKeptVersions<T> {}
