package io.github.flinkps.flink.testing;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.table.api.ResultKind;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.internal.TableResultInternal;
import org.apache.flink.table.utils.print.PrintStyle;
import org.apache.flink.util.ExceptionUtils;

/** Statements of SQL, and what their client prints of them. One thread. */
public final class SqlSession {
    private static final Pattern SET = Pattern.compile("(?is)SET\\s+'(.*?)'\\s*=\\s*'(.*?)'");
    private static final Pattern WRITES =
            Pattern.compile("(?is)(INSERT|EXECUTE\\s+STATEMENT\\s+SET)\\b.*");
    private static final Pattern TOTAL = Pattern.compile("(\\d+ rows?) in set(?=\\s*$)");
    private static final String CAUSE = "Caused by: ";
    private static final Pattern FRAMES = Pattern.compile("(?s)\\s*\n\\s+(at |\\.\\.\\. ).*");
    private static final long MINUTES = 3;

    private final TableEnvironment environment;

    public SqlSession(TableEnvironment environment) {
        this.environment = environment;
    }

    /** Runs a statement that must not fail; {@code INSERT} until it is through. */
    public String run(String statement) {
        return run(statement, false);
    }

    /**
     * Returns what a statement prints: nothing where there is nothing but that it went well.
     *
     * @param mayFail whether a failure is printed, as the cause of all, and not thrown
     */
    String run(String statement, boolean mayFail) {
        Matcher set = SET.matcher(statement);
        if (set.matches()) {
            environment.getConfig().set(set.group(1), set.group(2));
            return "";
        }
        try {
            return print(statement, environment.executeSql(statement));
        } catch (RuntimeException e) {
            if (!mayFail) {
                throw new IllegalStateException(statement, e);
            }
            return "[ERROR] Could not execute SQL statement. Reason:\n" + shownByClient(e) + "\n";
        }
    }

    /** Returns what the client shows of an error: the last cause that is printed of it. */
    public static String shownByClient(Throwable error) {
        String printed = ExceptionUtils.stringifyException(error);
        int last = printed.lastIndexOf(CAUSE);
        String cause = last < 0 ? printed : printed.substring(last + CAUSE.length());
        return FRAMES.matcher(cause).replaceFirst("");
    }

    private String print(String statement, TableResult result) {
        if (WRITES.matcher(statement).matches()) {
            await(result);
            return "";
        }
        if (result.getResultKind() == ResultKind.SUCCESS) {
            return "";
        }
        TableResultInternal table = (TableResultInternal) result;
        boolean query = result.getJobClient().isPresent();
        boolean changes =
                query
                        && environment.getConfig().get(ExecutionOptions.RUNTIME_MODE)
                                == RuntimeExecutionMode.STREAMING;
        PrintStyle style =
                statement.regionMatches(true, 0, "SHOW CREATE", 0, 11)
                        ? PrintStyle.rawContent(table.getRowDataToStringConverter())
                        : PrintStyle.tableauWithDataInferredColumnWidths(
                                table.getResolvedSchema(),
                                table.getRowDataToStringConverter(),
                                Integer.MAX_VALUE,
                                !query,
                                changes);
        StringWriter text = new StringWriter();
        style.print(table.collectInternal(), new PrintWriter(text));
        String printed = text.toString();
        return changes ? TOTAL.matcher(printed).replaceFirst("Received a total of $1") : printed;
    }

    private static void await(TableResult result) {
        try {
            result.await(MINUTES, TimeUnit.MINUTES);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            ExceptionUtils.rethrow(e);
        }
    }
}
