/**
 * Models and cuts on storage.
 *
 * <p>A model is a directory with a {@code manifest.json} and one Arrow IPC file per table and
 * partition, which pyarrow and any other Arrow implementation read. {@link
 * io.github.flinkps.model.ModelWriter} writes one so that there is never part of a model under its
 * name; {@link io.github.flinkps.model.ModelReader} reads one and believes nothing it has not
 * checked.
 *
 * <p>A cut is the state of a model's tables that belongs to a checkpoint: rows to the bit, slots,
 * last steps, clocks and the pushes of unfinished rounds, whole or as the rows changed since an
 * earlier cut. Its files are written side by side by {@link
 * io.github.flinkps.model.CutPartWriter}s; {@link io.github.flinkps.model.CutManifests#publish}
 * makes it exist; {@link io.github.flinkps.model.CutReader} reads it with those it adds to; {@link
 * io.github.flinkps.model.CutCatalog} lists and removes; {@link io.github.flinkps.model.CutExport}
 * makes a model of one. See {@link io.github.flinkps.model.CutPaths} for where it lies.
 *
 * <p>No thread of its own: a writer or reader belongs to one thread at a time, which it blocks with
 * input and output.
 */
package io.github.flinkps.model;
