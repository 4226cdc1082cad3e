/**
 * The rows of tables: pages, slots and the index of sparse keys, by partition; and the rows as they
 * were when a partition was frozen for a cut, handed out while training goes on. Not an API. A
 * partition is touched by its owner thread only (asserted); nothing here locks, waits or allocates
 * per row.
 */
package io.github.flinkps.server.store;
