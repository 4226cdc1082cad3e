/**
 * Helpers that tests of every module share: real data sets, waiting, saved models' values, and the
 * leak detection that is on in all of them. Published as ps-service's test jar. Runs on JUnit's
 * thread.
 */
package io.github.flinkps.testing;
