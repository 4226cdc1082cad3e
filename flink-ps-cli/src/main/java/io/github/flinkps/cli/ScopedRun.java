package io.github.flinkps.cli;

import io.github.flinkps.cli.run.RunScope;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Runs the work of a command in a scope of its own. */
final class ScopedRun {
    private ScopedRun() {}

    /** The work of a command. */
    interface Work {
        void run(RunScope scope) throws Exception;
    }

    /**
     * Runs the work and ends its scope. A failure is told before that, because servers that do not
     * answer are waited for once more; one that a signal has caused is not told.
     *
     * @return the exit code
     */
    static int run(CommandLine command, Work work) {
        try (RunScope scope = new RunScope()) {
            try {
                work.run(scope);
                return ExitCodes.OK;
            } catch (ParameterException e) {
                throw e;
            } catch (Exception e) {
                return scope.isInterrupted() ? ExitCodes.FAILED : ErrorHandlers.failed(e, command);
            }
        }
    }
}
