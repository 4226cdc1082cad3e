/**
 * What only Flink 2.1 and newer has: models of its own SQL, behind which those of flink-ps stand.
 */
package io.github.flinkps.flink2;
