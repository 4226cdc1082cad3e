/**
 * The rows of tables: pages, slots and the index of sparse keys, by partition. Not an API. A
 * partition is touched by its owner thread only (asserted); nothing here locks, waits or allocates
 * per row.
 */
package io.github.flinkps.server.store;
