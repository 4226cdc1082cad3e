/**
 * Models of Flink's own SQL, which only Flink 2.1 and newer has. Behind them stand the models of
 * flink-ps.
 */
package io.github.flinkps.flink2;
