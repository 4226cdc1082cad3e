/** Models that answer outside of a job's workers: whose parameters are pulled where rows are. */
package io.github.flinkps.flink.serving;
