/**
 * The command line: options, their checks, messages and exit codes, and {@code main}.
 *
 * <p>A command class holds options and no type of Flink in its fields and signatures, so that
 * picocli can look at all commands while {@code server} loads none of Flink; what needs Flink is in
 * {@link io.github.flinkps.cli.job}. Runs on the main thread; at ctrl-C the shutdown hook of {@link
 * io.github.flinkps.cli.run.RunScope} undoes what a command has begun.
 */
package io.github.flinkps.cli;
