package io.github.flinkps.model;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Messages that name the file. */
public final class ModelFailures {
    private ModelFailures() {}

    public static PsException io(String verb, String file, IOException cause) {
        return new PsException(
                ErrorCode.IO, "cannot " + verb + " " + file + ": " + reason(cause), cause);
    }

    public static PsException corrupt(String file, String why) {
        return new PsException(ErrorCode.CORRUPT, file + " is damaged: " + why);
    }

    public static PsException corrupt(String file, RuntimeException cause) {
        String what = cause instanceof NewerFormatException ? ": " : " is damaged: ";
        return new PsException(ErrorCode.CORRUPT, file + what + cause.getMessage(), cause);
    }

    /** Returns whether a file cannot be read because a newer program has written it. */
    public static boolean isNewer(PsException failure) {
        return failure.getCause() instanceof NewerFormatException;
    }

    /**
     * Returns what to say of a failure: the messages of some exceptions are no more than a path.
     */
    private static String reason(IOException cause) {
        if (cause instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (cause instanceof FileAlreadyExistsException) {
            return "there is a file of that name";
        }
        if (cause instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (cause instanceof FileSystemException named && named.getReason() != null) {
            return named.getReason();
        }
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
