package io.github.flinkps.cli;

/** The exit codes of the process. */
final class ExitCodes {
    static final int OK = 0;

    /** The command failed: an input, a server, a disk. */
    static final int FAILED = 1;

    /** The command line is wrong; nothing was started. */
    static final int USAGE = 2;

    /** The command was ended by ctrl-C: 128 and the signal's number. */
    static final int INTERRUPTED = 130;

    private ExitCodes() {}
}
