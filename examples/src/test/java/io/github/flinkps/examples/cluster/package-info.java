/**
 * The examples on a real Flink: a distribution as users download it, whose JobManager and
 * TaskManagers are processes of their own. Tests run on JUnit's thread; output of processes goes to
 * files.
 */
package io.github.flinkps.examples.cluster;
