package io.github.flinkps.flink.table;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import java.io.Serializable;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.Supplier;
import org.apache.flink.table.api.ValidationException;

/**
 * A version of a model: a model directory that does not change any more. Its id is the time it was
 * published, so that the order of ids is that of time.
 *
 * @param id such as {@code 20260131T235959123Z}
 * @param directory path or URI
 */
public record ModelVersion(String id, String directory) implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final DateTimeFormatter ID =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'").withZone(ZoneOffset.UTC);

    /** Returns the id of a version published then. */
    public static String id(Instant published) {
        return ID.format(published);
    }

    /** Returns whether a name of a folder is an id. */
    static boolean isId(String name) {
        try {
            return id(time(name)).equals(name);
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** Returns the time that an id is. */
    static Instant time(String id) {
        return ID.parse(id, Instant::from);
    }

    /** Returns the time at which it was published, in milliseconds. */
    public Instant published() {
        return time(id);
    }

    /**
     * Returns what it holds, as its manifest says.
     *
     * @param model whose version it is, and
     * @param named whether a person has named it, who gets the newest one else; for messages
     * @throws ValidationException if it is damaged or of a newer format
     * @throws PsException if it is not there any more, or the storage fails
     */
    public ModelManifest manifest(String model, boolean named) {
        return reading(
                model, named, () -> ModelReader.readManifest(new FlinkModelStorage(), directory));
    }

    /**
     * Looks whether it can predict for a model as that is declared now.
     *
     * @param model whose version it is, for messages
     * @throws ValidationException if it was trained when the declaration said otherwise
     */
    public void check(String model, ModelSpec now, ModelManifest manifest) {
        ModelChange.since(model, manifest.header(), now)
                .ifPresent(
                        what -> {
                            throw new ValidationException(
                                    "model "
                                            + model
                                            + ": version "
                                            + id
                                            + " was trained before "
                                            + what
                                            + " was changed, and cannot predict as the model is"
                                            + " declared now: INSERT publishes a version that can,"
                                            + " or ALTER TABLE changes the declaration back");
                        });
    }

    /**
     * Reads it, with messages as of {@link #manifest}.
     *
     * @throws ValidationException if {@code read} finds it damaged or of a newer format
     */
    public <T> T reading(String model, boolean named, Supplier<T> read) {
        try {
            return read.get();
        } catch (PsException e) {
            if (e.code() != ErrorCode.CORRUPT) {
                throw e;
            }
            throw ModelSpec.refused(
                    "model "
                            + model
                            + (named ? ": version " + id : ": its newest version")
                            + " cannot be read: "
                            + e.getMessage()
                            + (named ? "" : "; rollback_model publishes an older one"),
                    e);
        }
    }
}
