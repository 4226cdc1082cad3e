package io.github.flinkps.cli;

import io.github.flinkps.model.LocalModelStorage;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a path of this machine, or its {@code file:} URI. */
final class LocalPathConverter implements ITypeConverter<Path> {
    @Override
    public Path convert(String value) {
        try {
            String path = LocalModelStorage.path(value);
            return value.startsWith("file:") ? Path.of(path) : Path.of(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
