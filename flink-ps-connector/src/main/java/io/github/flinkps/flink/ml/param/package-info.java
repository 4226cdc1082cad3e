/** Params of stages, by the names that Flink ML gives them where it has such. No threads. */
package io.github.flinkps.flink.ml.param;
