package io.github.flinkps.cli;

import io.github.flinkps.cli.report.Summary;
import io.github.flinkps.cli.run.Amounts;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelFile;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code flink-ps model describe}. */
@Command(
        name = "describe",
        description =
                "Says what a saved model holds and how it was trained, and verifies the checksum of"
                        + " every file.",
        optionListHeading = "%nOptions:%n")
final class DescribeCommand implements Callable<Integer> {
    private static final long MEMORY = 256L << 20;
    private static final int LONGEST_INPUT = 4000;

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The model.")
    private Path directory;

    @Mixin HelpOption help;

    @Override
    public Integer call() {
        if (!Files.isDirectory(directory)) {
            throw new CommandException("there is no model directory " + directory);
        }
        try (BufferAllocator allocator = new RootAllocator(MEMORY);
                ModelReader reader =
                        ModelReader.open(
                                new LocalModelStorage(),
                                LocalModelStorage.path(directory),
                                allocator)) {
            reader.verify();
            describe(reader.manifest());
        }
        return ExitCodes.OK;
    }

    private void describe(ModelManifest manifest) {
        Summary summary = new Summary(spec.commandLine().getOut());
        summary.row("model", "%s", LocalModelStorage.path(directory));
        summary.row("algorithm", "%s", manifest.header().algorithm());
        summary.row("options", "%s", pairs(manifest.header().parameters()));
        if (!manifest.header().input().isEmpty()) {
            summary.row("input", "%s", shortened(manifest.header().input()));
        }
        for (ModelTable table : manifest.tables()) {
            summary.row("table", "%s", describe(table));
        }
        summary.row("parameters", "%,d", manifest.parameters());
        summary.row("bytes", "%,d", manifest.bytes());
        summary.row("slots", "%s", manifest.header().slots() ? "saved" : "not saved");
        if (!manifest.facts().isEmpty()) {
            summary.row("training", "%s", pairs(manifest.facts()));
        }
        summary.row("checksums", "%s", "all files verified");
    }

    /** Returns a text, cut off where it is long: a vocabulary may have a million words. */
    private static String shortened(String text) {
        return text.length() <= LONGEST_INPUT
                ? text
                : "%s .. (%,d characters)"
                        .formatted(text.substring(0, LONGEST_INPUT), text.length());
    }

    private static String describe(ModelTable table) {
        TableSpec spec = table.spec();
        long bytes = table.files().stream().mapToLong(ModelFile::bytes).sum();
        return "%s: %s, %s of width %d in %s, %,d bytes, optimizer %s %s"
                .formatted(
                        spec.name(),
                        spec.isSparse() ? "sparse" : "dense",
                        Amounts.of(table.rows(), "row", "rows"),
                        spec.width(),
                        Amounts.of(spec.partitions(), "partition", "partitions"),
                        bytes,
                        spec.update().name(),
                        pairs(spec.update().options()))
                .stripTrailing();
    }

    private static String pairs(Map<String, ?> pairs) {
        return pairs.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(", "));
    }
}
