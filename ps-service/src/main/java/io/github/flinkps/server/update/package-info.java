/**
 * Update functions: what a push does to rows. {@link
 * io.github.flinkps.server.update.UpdateFunctionFactory} is an API for users, found by {@link
 * java.util.ServiceLoader}. An instance serves one partition and runs on its owner thread.
 */
package io.github.flinkps.server.update;
