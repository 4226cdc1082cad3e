package io.github.flinkps.cli;

import picocli.CommandLine.Option;

/** {@code --help}, of every command. */
final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    boolean help;
}
