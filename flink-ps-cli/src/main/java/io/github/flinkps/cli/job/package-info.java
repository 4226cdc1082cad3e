/**
 * Flink jobs that train and score, run in this process or, where a cluster runs the program, there.
 * The only package of the command line that uses Flink. The main thread sets a job up and reads its
 * results.
 */
package io.github.flinkps.cli.job;
