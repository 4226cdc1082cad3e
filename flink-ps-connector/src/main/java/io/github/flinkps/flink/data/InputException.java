package io.github.flinkps.flink.data;

import java.io.IOException;

/**
 * An input that cannot be read; the message names it and says what is wrong, and is fit for a user
 * to see.
 */
public class InputException extends IOException {
    private static final long serialVersionUID = 1L;

    public InputException(String message) {
        super(message);
    }

    public InputException(String message, Throwable cause) {
        super(message, cause);
    }
}
