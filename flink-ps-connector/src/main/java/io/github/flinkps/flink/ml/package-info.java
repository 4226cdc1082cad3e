/**
 * Stages of Flink ML 2.2: an Estimator, an Online Estimator and a Model for each algorithm, and
 * evaluators. The only package that wants Flink ML on the class path. Stages belong to the thread
 * of the program that sets a job up; what jobs run lies in the two operators' logics, on their
 * task's thread.
 */
package io.github.flinkps.flink.ml;
