package io.github.flinkps.harness.bench;

import io.github.flinkps.cli.Subcommand;
import io.github.flinkps.cli.output.JsonReport;
import io.github.flinkps.cli.output.OutputFile;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.RunScope;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code flink-ps bench}. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures servers of its own over loopback.",
        footerHeading = "%nWhat is measured:%n",
        footer = {
            "Servers are processes with the options of 'flink-ps server', reached by the",
            "public client. Tables are trained by SGD; every value pulled is checked.",
            "  dense   push and pull of all of a table of 1 K to 10 M floats, each begun",
            "          by the callback of one before, as in the bare transfer",
            "  sparse  push and pull of 100 K keys of tables of 100 K and 2^24 keys,",
            "          width 1, 16 and 64; sent: int64 keys travel with each operation",
            "          (their sorting is not timed); cached: lists sent before travel as",
            "          signatures; delta: keys of a declared key space travel as",
            "          differences",
            "  small   pulls of 100 floats, one at a time, begun by the callback of the",
            "          one before, or by a thread that waits for it (waiting)",
            "GB/s are bytes of frames both ways, as encoded; 'bare' is the rate of a",
            "plain Netty exchange of frames of the same sizes, with nothing encoded or",
            "decoded, run by turns with each case; 'ratio' is ours to it. Aims are for",
            "two idle cores and fail nothing. Times are from the call to completion,",
            "with --in-flight operations under way.",
            "With --tls the same is done with servers that encrypt, and clients that show",
            "a certificate, under the name of the case and '-tls'; plain servers have the",
            "line below it, and turns with them. The bare exchange is encrypted too;",
            "'of plain' is the rate of operations to that of the plain servers.",
            "With --cut each client trains a table of --cut-mb in steps of 10,000 keys",
            "drawn at random, pulled and pushed, without pause. A line is printed for",
            "each part: the table is filled; --seconds are trained without a cut; a full",
            "cut is taken; again without; an increment, of the rows changed since; again",
            "without; and a file is written to the storage as fast as it goes. Times are",
            "of the steps of all clients: what a cut does to them is seen beside the",
            "parts without. 'stall' is how late, at most, a thread came that sleeps for",
            "1 ms: on busy cores some milliseconds; with more, the machine stood still.",
            "'copied' is the most memory that rows took which had to be",
            "saved from being overwritten before they were written. Servers have all of",
            "their heap from the start (-Xms, -XX:+AlwaysPreTouch). On two idle cores",
            "4,096 MiB take about two minutes, and never more than eight: a cut that takes",
            "more than 90 s is given up."
        })
public final class BenchCommand implements Subcommand {
    private static final List<String> CASES = List.of("dense", "sparse", "small");

    @Spec private CommandSpec spec;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "JSON file for what was measured.")
    private Path report;

    @Option(
            names = "--servers",
            paramLabel = "N",
            description = "Server processes, 1 to 16 (default: ${DEFAULT-VALUE}).")
    private int servers = 1;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description =
                    "Clients, each with a thread and connections of its own, 1 to 64 (default: 1;"
                            + " with --cut 2).")
    private Integer clients;

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            description =
                    "Operations that each client keeps under way, 1 to 256 (default:"
                            + " ${DEFAULT-VALUE}).")
    private int inFlight = 4;

    @Option(
            names = "--cases",
            split = ",",
            paramLabel = "CASE",
            description = "Any of dense, sparse, small (default: all).")
    private List<String> cases;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description =
                    "Time of each case, and of its bare transfer, or of each part without a cut;"
                            + " .01 to 600 (default: 1; with --cut 10; quick: .05).")
    private Double seconds;

    @Option(
            names = "--tls",
            description = "Measurement of servers that encrypt, beside plain ones.")
    private boolean tls;

    @Option(
            names = "--cut",
            description =
                    "Measurement of what taking a cut (a checkpoint of the model) does to workers"
                            + " that train meanwhile. It is written to the folder for temporary"
                            + " files.")
    private boolean cut;

    @Option(
            names = "--cut-mb",
            paramLabel = "MB",
            description =
                    "Values of the table that --cut trains, in MiB, 1 to 65536 (default:"
                            + " ${DEFAULT-VALUE}).")
    private int cutMegabytes = 4096;

    @Option(names = "--quick", description = "Small tables and short times: a test of the command.")
    private boolean quick;

    @Override
    public Integer call() {
        if (clients == null) {
            clients = cut ? 2 : 1;
        }
        BenchPlan plan = plan();
        OutputFile file = report == null ? null : OutputFile.of("--report", report);
        List<?> rows = cut ? measureCuts(plan) : measure(plan);
        if (file != null) {
            try (RunScope scope = new RunScope()) {
                JsonReport.write(file, rows, scope);
            }
        }
        return 0;
    }

    private List<BenchRow> measure(BenchPlan plan) {
        BenchTable table = new BenchTable(spec.commandLine().getOut(), tls);
        try (BenchRun run = new BenchRun(plan, table)) {
            run.run();
        }
        return table.rows();
    }

    private List<CutRow> measureCuts(BenchPlan plan) {
        if (cases != null || tls) {
            throw refused("--cut and " + (tls ? "--tls" : "--cases") + " exclude each other");
        }
        CutPlan cuts =
                quick
                        ? CutPlan.quick(plan.servers(), plan.clients(), plan.nanos())
                        : CutPlan.full(plan.servers(), plan.clients(), cutMegabytes, plan.nanos());
        String why = cuts.whyNot();
        if (why != null) {
            throw new CommandException("--cut: " + why);
        }
        CutPrinter table =
                new CutPrinter(cuts, spec.commandLine().getOut(), spec.commandLine().getErr());
        table.begin();
        try (CutBench run = new CutBench(cuts, table)) {
            run.run();
        }
        table.end();
        return table.rows();
    }

    private BenchPlan plan() {
        check("--servers", servers, 1, 16);
        check("--clients", clients, 1, 64);
        check("--in-flight", inFlight, 1, 256);
        check("--cut-mb", cutMegabytes, 1, 1 << 16);
        double time = seconds == null ? quick ? .05 : cut ? 10 : 1 : seconds;
        if (!(time >= .01 && time <= 600)) {
            throw refused("--seconds must be between .01 and 600, not " + time);
        }
        Set<String> wanted = new LinkedHashSet<>();
        for (String name : cases == null ? CASES : cases) {
            if (!CASES.contains(name)) {
                throw refused("--cases: no case '" + name + "'; there are dense, sparse, small");
            }
            wanted.add(name);
        }
        return new BenchPlan(
                wanted,
                servers,
                clients,
                inFlight,
                (long) (time * 1e9),
                tls,
                quick ? BenchPlan.Sizes.quick() : BenchPlan.Sizes.full());
    }

    private void check(String option, int value, int low, int high) {
        if (value < low || value > high) {
            throw refused(option + " must be between " + low + " and " + high + ", not " + value);
        }
    }

    private ParameterException refused(String why) {
        return new ParameterException(spec.commandLine(), why);
    }
}
