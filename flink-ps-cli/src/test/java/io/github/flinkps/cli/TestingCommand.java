package io.github.flinkps.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * A command that was run in this process.
 *
 * @param exitCode as the process would end with
 * @param out standard output
 * @param err standard error
 */
public record TestingCommand(int exitCode, String out, String err) {
    public static TestingCommand run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out), new PrintWriter(err), arguments);
        return new TestingCommand(code, out.toString(), err.toString());
    }

    /** Runs a command that must succeed. */
    public static TestingCommand succeeds(String... arguments) {
        TestingCommand command = run(arguments);
        if (command.exitCode != ExitCodes.OK) {
            throw new AssertionError(
                    String.join(" ", arguments)
                            + " ended with "
                            + command.exitCode
                            + ": "
                            + command.err);
        }
        return command;
    }
}
