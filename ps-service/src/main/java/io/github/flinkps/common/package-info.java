/**
 * Terms shared by both ends of the wire: keys and their hash, table definitions, placement, time
 * and errors. Everything here is immutable or stateless and may be used from any thread.
 */
package io.github.flinkps.common;
