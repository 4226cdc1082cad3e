package io.github.flinkps.benchmarks.flinkml;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The results of both programs on a workload, as one table of figures and one of aims.
 *
 * @param peer a run for each of ours, right before it
 */
record Comparison(ComparedWorkload workload, List<ProgramRun> peer, List<ProgramRun> ours) {
    /** Columns before the figures. */
    static final int FIRST_FIGURE = 3;

    /** Columns before the figures of aims. */
    static final int FIRST_REACHED = 2;

    /**
     * An aim.
     *
     * @param reached what two runs that are compared say
     * @param met by what is reached
     */
    private record Aim(String name, String format, Reached reached, Met met) {}

    private interface Reached {
        double of(ProgramRun peer, ProgramRun ours);
    }

    private interface Met {
        boolean by(double reached);
    }

    private List<Aim> aimed() {
        double faster = workload.faster();
        return List.of(
                new Aim(
                        faster > 1 ? "%.0f times as fast".formatted(faster) : "as fast",
                        "%.2f times",
                        ratio(ProgramRun::seconds),
                        reached -> reached >= faster),
                new Aim(
                        "in no more memory",
                        "%.2f times less",
                        ratio(ProgramRun::peakBytes),
                        reached -> reached >= 1),
                new Aim(
                        "at no higher logloss",
                        "%+.4f",
                        (peer, ours) -> ours.logloss() - peer.logloss(),
                        reached -> reached <= 0));
    }

    private static Reached ratio(ToDoubleFunction<ProgramRun> measure) {
        return (peer, ours) -> measure.applyAsDouble(peer) / measure.applyAsDouble(ours);
    }

    static List<String> header() {
        return List.of(
                "| workload | program | run | seconds | CPU seconds | peak RSS, MiB | test logloss"
                        + " | test AUC |",
                "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |");
    }

    /** Returns the table's rows. */
    List<String> rows() {
        List<String> rows = new ArrayList<>();
        for (int run = 0; run < ours.size(); run++) {
            rows.add(row(Contender.peer(""), run, peer.get(run)));
            rows.add(row(Contender.ours(), run, ours.get(run)));
        }
        return rows;
    }

    private String row(Contender program, int run, ProgramRun figures) {
        return "| %s | %s | %d | %s | %s | %s | %s | %s |"
                .formatted(
                        workload.title(),
                        program.title(workload),
                        run + 1,
                        number("%.1f", figures.seconds()),
                        number("%.1f", figures.cpuSeconds()),
                        number("%.0f", figures.peakBytes() / (1 << 20)),
                        number("%.4f", figures.logloss()),
                        number("%.4f", figures.auc()));
    }

    static List<String> aimsHeader() {
        return List.of("| workload | aim | reached, by run | met |", "| --- | --- | --- | --- |");
    }

    /** Returns the rows of the table of aims. */
    List<String> aims() {
        return aimed().stream()
                .map(
                        aim ->
                                "| %s | %s | %s | %s |"
                                        .formatted(
                                                workload.title(),
                                                aim.name(),
                                                reached(aim).stream()
                                                        .map(each -> number(aim.format(), each))
                                                        .collect(Collectors.joining(", ")),
                                                isMet(aim) ? "yes" : "NO"))
                .toList();
    }

    boolean meetsAll() {
        return aimed().stream().allMatch(this::isMet);
    }

    private boolean isMet(Aim aim) {
        return reached(aim).stream().allMatch(aim.met()::by);
    }

    private List<Double> reached(Aim aim) {
        List<Double> reached = new ArrayList<>();
        for (int run = 0; run < ours.size(); run++) {
            reached.add(aim.reached().of(peer.get(run), ours.get(run)));
        }
        return reached;
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
    }
}
