/**
 * The output of commands: reports in JSON, predictions in CSV, tables for people. No thread of its
 * own.
 */
package io.github.flinkps.cli.report;
