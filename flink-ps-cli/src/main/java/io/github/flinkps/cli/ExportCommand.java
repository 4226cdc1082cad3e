package io.github.flinkps.cli;

import io.github.flinkps.cli.report.Amounts;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.CatchUp;
import io.github.flinkps.model.CutExport;
import io.github.flinkps.model.CutManifests;
import io.github.flinkps.model.CutPaths;
import io.github.flinkps.model.CutReader;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code flink-ps model export}. */
@Command(
        name = "export",
        sortOptions = false,
        description =
                "Makes a model of a cut, so that it can predict and be trained on, with no job"
                        + " running. Every file that is read is checked.",
        optionListHeading = "%nOptions:%n")
final class ExportCommand implements Callable<Integer> {
    private static final long MEMORY = 256L << 20;

    @Spec private CommandSpec spec;

    @Option(
            names = "--cut",
            required = true,
            paramLabel = "PATH",
            description = "The cut's directory, or its manifest, as model list shows it.")
    private Path cut;

    @Option(
            names = "--model",
            required = true,
            paramLabel = "DIR",
            description = "Where the model goes: absent, empty, or a model to be replaced.")
    private Path model;

    @Option(names = "--save-slots", description = "Take the optimizers' slots along.")
    private boolean saveSlots;

    @Mixin HelpOption help;

    @Override
    public Integer call() {
        Path manifest = Files.isDirectory(cut) ? cut.resolve(CutPaths.MANIFEST) : cut;
        if (!Files.isRegularFile(manifest)) {
            throw new CommandException("--cut: there is no manifest " + manifest);
        }
        ModelStorage storage = new LocalModelStorage();
        ModelManifest made;
        try (BufferAllocator allocator = new RootAllocator(MEMORY);
                CutReader reader =
                        CutReader.open(
                                storage,
                                CutManifests.at(storage, LocalModelStorage.path(manifest)),
                                allocator)) {
            made =
                    CutExport.toModel(
                            reader,
                            storage,
                            LocalModelStorage.path(model),
                            saveSlots,
                            ExportCommand::catchUp,
                            allocator);
        } catch (PsException e) {
            throw new CommandException(e.getMessage(), e);
        }
        spec.commandLine()
                .getOut()
                .println(
                        "%s of %s: %s"
                                .formatted(
                                        Amounts.of(made.parameters(), "parameter", "parameters"),
                                        made.facts().get("cut"),
                                        model));
        return ExitCodes.OK;
    }

    private static CatchUp catchUp(TableSpec table) {
        UpdateFunction function = UpdateFunctions.create(table.update());
        return function::catchUp;
    }
}
