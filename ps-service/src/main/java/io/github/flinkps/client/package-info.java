/**
 * The client of a parameter service: asynchronous, thread-safe, and without a thread of its own
 * beyond its transport's. {@link io.github.flinkps.client.ParameterClients} makes one.
 */
package io.github.flinkps.client;
