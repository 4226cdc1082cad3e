package io.github.flinkps.cli;

import io.github.flinkps.cli.job.CutRemoval;
import io.github.flinkps.cli.run.Amounts;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code flink-ps model remove}. */
@Command(
        name = "remove",
        sortOptions = false,
        description =
                "Removes cuts that model list shows, such as those of savepoints that are not"
                        + " needed any more, or all that is kept of a run. Cuts that others add to,"
                        + " and what a job that trains the model now may need, are refused before"
                        + " anything is removed. Which savepoints and retained checkpoints of ended"
                        + " jobs refer to a cut is not known here: they are of no use without it.",
        optionListHeading = "%nOptions:%n")
final class RemoveCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
            names = "--cut",
            split = ",",
            paramLabel = "PATH",
            description =
                    "Cuts: their manifests, as model list shows them, or their directories,"
                            + " separated by commas.")
    private List<String> cuts;

    @Option(
            names = "--run",
            split = ",",
            paramLabel = "PATH",
            description =
                    "Instead of cuts: the directories of runs, MODEL/runs/RUN, with all that is"
                            + " kept of each: cuts, and rows of several passes.")
    private List<String> runs;

    @Option(
            names = CutRemoval.FORCE,
            description =
                    "Permission to remove also what a job that trains the model now may need."
                            + " Cuts that other cuts add to are refused all the same.")
    private boolean force;

    @Mixin HelpOption help;

    private long count;
    private long bytes;

    @Override
    public Integer call() {
        Usage usage = new Usage(spec);
        usage.require(
                (cuts == null) != (runs == null), "give either --cut or --run: what to remove");
        PrintWriter out = spec.commandLine().getOut();
        CutRemoval removal =
                new CutRemoval(
                        force,
                        removed -> {
                            out.println(
                                    "removed %s, %,d bytes"
                                            .formatted(removed.path(), removed.bytes()));
                            out.flush();
                            count++;
                            bytes += removed.bytes();
                        });
        if (cuts != null) {
            removal.cuts("--cut", usage.paths("--cut", cuts));
        } else {
            removal.runs("--run", usage.paths("--run", runs));
        }
        String what =
                cuts != null ? Amounts.of(count, "cut", "cuts") : Amounts.of(count, "run", "runs");
        out.println(count == 0 ? "nothing of it is there" : "%s, %,d bytes".formatted(what, bytes));
        return ExitCodes.OK;
    }
}
