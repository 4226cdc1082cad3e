package io.github.flinkps.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.data.BadRowException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void findsOursBelowFlinksWrappers() {
        Throwable bad = new BadRowException("rows.libsvm", 3, 7, "value 'x' is not a number");
        Throwable wrapped =
                new ExecutionException(
                        new RuntimeException(
                                "One or more fetchers have encountered exception",
                                new RuntimeException("SplitFetcher thread 0 received", bad)));
        assertThat(Failures.message(wrapped))
                .isEqualTo("rows.libsvm:3:7: value 'x' is not a number");
    }

    @Test
    void takesTheOutermostOfOurs() {
        Throwable inner = new PsException(ErrorCode.DISCONNECTED, "connection refused");
        Throwable outer = new CommandException("cannot reach h:1: connection refused", inner);
        assertThat(Failures.message(new CompletionException(outer)))
                .isEqualTo("cannot reach h:1: connection refused");
    }

    @Test
    void saysWhatFilesLack() {
        assertThat(Failures.message(new NoSuchFileException("/a")))
                .isEqualTo("/a: no such file or directory");
        assertThat(Failures.message(new AccessDeniedException("/a")))
                .isEqualTo("/a: permission denied");
        assertThat(Failures.message(new RuntimeException(new IOException("No space left"))))
                .isEqualTo("No space left");
    }

    @Test
    void saysOneLineOfWhatIsUnexpected() {
        assertThat(Failures.message(new IllegalStateException("one\ntwo")))
                .isEqualTo("unexpected failure: IllegalStateException: one (--debug shows where)");
        assertThat(Failures.message(new ExecutionException(new TimeoutException())))
                .isEqualTo("timed out");
        assertThat(Failures.message(new NullPointerException()))
                .startsWith("unexpected failure: NullPointerException");
    }

    @Test
    void endsWithCausesInACircle() {
        Exception one = new IllegalStateException("one");
        Exception two = new IllegalStateException("two", one);
        one.initCause(two);
        assertThat(Failures.message(one)).contains("unexpected failure");
    }
}
