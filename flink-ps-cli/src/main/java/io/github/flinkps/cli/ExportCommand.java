package io.github.flinkps.cli;

import io.github.flinkps.cli.job.CutSource;
import io.github.flinkps.cli.job.ModelTarget;
import io.github.flinkps.cli.run.Amounts;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.service.StartCut;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.cut.CutExport;
import io.github.flinkps.model.cut.CutReader;
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
                "Makes a model of a savepoint, a retained checkpoint or a cut, so that it can"
                    + " predict and be trained on, with no job running. Every file that is read is"
                    + " checked.",
        optionListHeading = "%nOptions:%n")
final class ExportCommand implements Callable<Integer> {
    private static final long MEMORY = 256L << 20;

    @Spec private CommandSpec spec;

    @Option(
            names = "--savepoint",
            paramLabel = "PATH",
            description =
                    "A savepoint or a retained checkpoint of a job that trains: its directory or"
                            + " its _metadata, moved or not. The files of the cut it refers to"
                            + " must be where the job's servers have written them.")
    private String savepoint;

    @Option(
            names = "--operator",
            paramLabel = "UID",
            description =
                    "Choice of one of several models in the savepoint: the uid of its operator,"
                            + " or its name.")
    private String operator;

    @Option(
            names = "--cut",
            paramLabel = "PATH",
            description =
                    "Instead of a savepoint: a cut's directory, or its manifest, as model list"
                            + " shows it.")
    private String cut;

    @Option(
            names = "--model",
            required = true,
            paramLabel = "DIR",
            description = "Folder of the model: absent, empty, or a model to be replaced.")
    private Path model;

    @Option(names = "--save-slots", description = "Export of the optimizers' slots, too.")
    private boolean saveSlots;

    @Mixin HelpOption help;

    @Override
    public Integer call() {
        Usage usage = new Usage(spec);
        usage.require(
                (cut == null) != (savepoint == null),
                "give either --savepoint or --cut: what to make a model of");
        usage.require(
                operator == null || savepoint != null, "--operator goes with --savepoint only");
        CutSource source =
                cut != null
                        ? CutSource.ofCut("--cut", cut)
                        : CutSource.ofSavepoint("--savepoint", savepoint, operator);
        ModelTarget.of("--model", model);
        ModelManifest made;
        try (BufferAllocator allocator = new RootAllocator(MEMORY);
                CutReader reader = CutReader.open(source.storage(), source.manifest(), allocator)) {
            made =
                    CutExport.toModel(
                            reader,
                            new LocalModelStorage(),
                            LocalModelStorage.path(model),
                            saveSlots,
                            StartCut::catchUp,
                            allocator);
        } catch (PsException e) {
            String where = e.code() == ErrorCode.CORRUPT ? source.option() + ": " : "";
            throw new CommandException(where + e.getMessage(), e);
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
}
