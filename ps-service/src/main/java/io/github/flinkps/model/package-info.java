/**
 * Models on storage.
 *
 * <p>A model is a directory with a {@code manifest.json} and one Arrow IPC file per table and
 * partition, which pyarrow and any other Arrow implementation read. {@link
 * io.github.flinkps.model.ModelWriter} writes one so that there is never part of a model under its
 * name; {@link io.github.flinkps.model.ModelReader} reads one and believes nothing it has not
 * checked.
 *
 * <p>No thread of its own: a writer or reader belongs to one thread at a time, which it blocks with
 * input and output.
 */
package io.github.flinkps.model;
