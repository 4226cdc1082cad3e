package io.github.flinkps.cli.run;

import io.github.flinkps.common.PsException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Finds, below the wrappers of Flink and of futures, the failure that tells a user what to change,
 * and says it in one message.
 */
public final class Failures {
    private static final String OURS = "io.github.flinkps.";

    private Failures() {}

    public static String message(Throwable failure) {
        List<Throwable> chain = chain(failure);
        for (Throwable each : chain) {
            if (ours(each)) {
                return plain(each.getMessage());
            }
        }
        for (Throwable each : chain) {
            if (each instanceof OutOfMemoryError) {
                return "out of memory: " + each.getMessage() + " (set FLINK_PS_JAVA_OPTS=-Xmx..)";
            }
        }
        Throwable root = chain.get(chain.size() - 1);
        if (root instanceof IOException file) {
            return reason(file);
        }
        if (root instanceof IllegalArgumentException && root.getMessage() != null) {
            return plain(root.getMessage());
        }
        if (root instanceof InterruptedException || root instanceof CancellationException) {
            return "interrupted";
        }
        if (root instanceof TimeoutException) {
            return "timed out" + (root.getMessage() == null ? "" : ": " + plain(root.getMessage()));
        }
        String text = root.getMessage();
        return "unexpected failure: "
                + root.getClass().getSimpleName()
                + (text == null ? "" : ": " + plain(text))
                + " (--debug shows where)";
    }

    /**
     * Returns a message written for users: a failure of ours, or an argument refused by code of
     * ours.
     */
    private static boolean ours(Throwable failure) {
        if (failure.getMessage() == null
                || failure instanceof ExecutionException
                || failure instanceof CompletionException) {
            return false;
        }
        if (failure instanceof PsException || failure.getClass().getName().startsWith(OURS)) {
            return true;
        }
        StackTraceElement[] trace = failure.getStackTrace();
        return failure instanceof IllegalArgumentException
                && trace.length > 0
                && trace[0].getClassName().startsWith(OURS);
    }

    private static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable each = failure; each != null && seen.add(each); each = each.getCause()) {
            chain.add(each);
        }
        return chain;
    }

    /**
     * Returns the failure to write or read a file among the causes of a failure; null if there is
     * none.
     */
    public static IOException storage(Throwable failure) {
        for (Throwable each : chain(failure)) {
            if (each instanceof FileSystemException
                    || each instanceof FileNotFoundException
                    || each.getClass() == IOException.class) {
                return (IOException) each;
            }
        }
        return null;
    }

    /** Returns the first line; what follows it are details of other programs. */
    private static String plain(String message) {
        return message.lines().findFirst().orElse("");
    }

    /** Returns the message of an IOException, which in the JDK is often no more than a path. */
    public static String reason(IOException failure) {
        if (failure instanceof FileSystemException named && named.getFile() != null) {
            return named.getFile() + ": " + why(named);
        }
        if (failure instanceof FileNotFoundException && failure.getMessage() != null) {
            return plain(failure.getMessage());
        }
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : plain(message);
    }

    private static String why(FileSystemException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "it exists already";
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return "the directory is not empty";
        }
        return failure.getReason() == null
                ? failure.getClass().getSimpleName()
                : failure.getReason();
    }
}
