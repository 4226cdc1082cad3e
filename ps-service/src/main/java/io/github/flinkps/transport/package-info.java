/**
 * The transport of frames: over sockets (Netty) or, between ends of one process, without them,
 * under the same interface. A connection belongs to one loop, on which its handler is called; a
 * server's owner thread is such a loop. Not public API.
 */
package io.github.flinkps.transport;
