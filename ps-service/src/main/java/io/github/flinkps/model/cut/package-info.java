/**
 * Cuts on storage.
 *
 * <p>A cut is the state of a model's tables that belongs to a checkpoint: rows to the bit, slots,
 * last steps, clocks and the pushes of unfinished rounds, whole or as the rows changed since an
 * earlier cut. Its files are written side by side by {@link
 * io.github.flinkps.model.cut.CutPartWriter}s; {@link
 * io.github.flinkps.model.cut.CutManifests#publish} makes it exist; {@link
 * io.github.flinkps.model.cut.CutReader} reads it with those it adds to; {@link
 * io.github.flinkps.model.cut.CutCatalog} lists and removes; {@link
 * io.github.flinkps.model.cut.CutExport} makes a model of one. See {@link
 * io.github.flinkps.model.cut.CutPaths} for where it lies.
 *
 * <p>No thread of its own: a writer or reader belongs to one thread at a time, which it blocks with
 * input and output.
 */
package io.github.flinkps.model.cut;
