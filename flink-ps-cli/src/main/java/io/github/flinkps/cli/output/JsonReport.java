package io.github.flinkps.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.flinkps.cli.run.RunScope;
import java.io.IOException;

/** Writes records as JSON: their components in order, nulls included. */
public final class JsonReport {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private JsonReport() {}

    /**
     * Writes a report.
     *
     * @param report a record, or a list of records
     * @throws io.github.flinkps.cli.run.CommandException if it cannot be written
     */
    public static void write(OutputFile file, Object report, RunScope scope) {
        try {
            scope.commit(prepare(file, report, scope));
        } catch (IOException e) {
            throw file.failed(e);
        }
    }

    /** Prepares the file as {@link OutputFile#prepare} does; does nothing if there is none. */
    public static RunScope.Step prepare(OutputFile file, Object report, RunScope scope) {
        if (file == null) {
            return () -> {};
        }
        String json;
        try {
            json = MAPPER.writeValueAsString(report) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the report cannot be written as JSON", e);
        }
        try {
            return file.prepare(scope, writer -> writer.write(json));
        } catch (IOException e) {
            throw file.failed(e);
        }
    }
}
