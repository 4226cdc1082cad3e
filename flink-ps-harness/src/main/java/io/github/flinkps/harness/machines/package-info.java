/** Machines as far as the network goes, and keys of a trial. */
package io.github.flinkps.harness.machines;
