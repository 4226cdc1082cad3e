/**
 * The progress of a training while it runs, shown and written: a line on a terminal, lines
 * elsewhere, curves in files. All of it belongs to the main thread, except {@link
 * io.github.flinkps.cli.progress.Terminal}, which any thread may use.
 */
package io.github.flinkps.cli.progress;
