/**
 * Every fact of the wire: api keys with permanent ids and versions, the frame header, and the
 * layouts of control parts. Stateless; any thread.
 */
package io.github.flinkps.protocol;
