/** The module by which SQL finds the functions; used where statements are planned. */
package io.github.flinkps.flink.table.module;
