/**
 * What is shown and written of a training while it runs: the line of progress on a terminal, lines
 * elsewhere, curves in files. All of it belongs to the main thread, except {@link
 * io.github.flinkps.cli.progress.Terminal}, which any thread may use.
 */
package io.github.flinkps.cli.progress;
