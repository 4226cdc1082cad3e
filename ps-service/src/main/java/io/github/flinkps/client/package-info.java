/**
 * The client of a parameter service, which users and the connector call. Methods are asynchronous;
 * futures complete on transport threads, where callers must not block.
 */
package io.github.flinkps.client;
