package io.github.flinkps.server;

import io.github.flinkps.codec.CodecException;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;

/** Turns what was thrown into the error that is answered. */
final class KnownError {
    private KnownError() {}

    /**
     * Returns the error itself if it has a code, else one with the code that its type stands for.
     *
     * @throws AssertionError if that is what was thrown: it is no answer but a bug to be found
     */
    static PsException of(Throwable e) {
        throwBug(e);
        return e instanceof CodecException
                ? new PsException(ErrorCode.MALFORMED, e.getMessage(), e)
                : PsException.of(e);
    }

    /** Throws what was thrown if it is an AssertionError: a bug to be found where it is. */
    static void throwBug(Throwable e) {
        if (e instanceof AssertionError bug) {
            throw bug;
        }
    }
}
