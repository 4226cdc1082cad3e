/**
 * The functions by which a server turns pushes into new values; users add their own through {@link
 * java.util.ServiceLoader}. They run on the owner thread of the partition they serve.
 */
package io.github.flinkps.server.update;
