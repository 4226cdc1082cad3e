/**
 * Servers and clients as they are, on virtual time: one thread, one queue of events, a network that
 * delays and cuts by a seed. A run is a pure function of its seeds.
 */
package io.github.flinkps.simulation;
