package io.github.flinkps.cli.job;

import static java.util.stream.Collectors.toSet;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.Failures;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.service.RunningJobs;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutPaths;
import io.github.flinkps.model.cut.CutSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Removes cuts, or all that is kept of runs, which is checked before any of it is. What a job needs
 * is told by the registry of the model and by what is noted beside its cuts; what savepoints and
 * retained checkpoints refer to nobody knows but their owner. One thread.
 */
public final class CutRemoval {
    /** The option by which also what a job may need is removed. */
    public static final String FORCE = "--force";

    private final ModelStorage storage = FlinkFiles.storage();
    private final Map<String, List<String>> training = new HashMap<>();
    private final boolean force;
    private final Consumer<Removed> removed;

    /**
     * A cut, or a run's directory, that was removed.
     *
     * @param path of the cut's manifest, or the run's directory
     * @param bytes of its files
     */
    public record Removed(String path, long bytes) {}

    /**
     * @param force whether also what a job that trains may need is removed
     * @param removed told of each that was there, once it is gone
     */
    public CutRemoval(boolean force, Consumer<Removed> removed) {
        this.force = force;
        this.removed = removed;
    }

    /**
     * Removes cuts, increments before the cuts they add to.
     *
     * @param option that names them, for messages
     * @param paths of their directories or manifests, whether or not they are there
     * @throws CommandException if one is no path of a cut, or is needed by another cut or by a job
     */
    public void cuts(String option, List<String> paths) {
        TreeMap<String, List<CutId>> byModel = new TreeMap<>();
        for (String path : paths) {
            CutPaths.Location place =
                    CutPaths.cutAt(FlinkFiles.absolute(path))
                            .orElseThrow(() -> refusal(option, path, "MODEL/runs/RUN/cuts/CUT"));
            checkThere(option, place.model());
            byModel.computeIfAbsent(place.model(), model -> new ArrayList<>()).add(place.id());
        }
        guarded(
                option,
                () -> {
                    byModel.forEach(
                            (model, cuts) ->
                                    cuts.forEach(cut -> checkDependents(model, cut, cuts)));
                    findTraining(byModel.keySet());
                    byModel.forEach((model, cuts) -> cuts.forEach(cut -> checkUse(model, cut)));
                    byModel.forEach(this::remove);
                });
    }

    private void remove(String model, List<CutId> cuts) {
        cuts.sort(Collections.reverseOrder());
        for (CutId cut : cuts) {
            note(CutPaths.manifest(model, cut), new CutCatalog(storage, model).remove(cut));
        }
    }

    /**
     * Removes all that is kept of runs.
     *
     * @param option that names them, for messages
     * @param paths of their directories, whether or not they are there
     * @throws CommandException if one is no path of a run, or is needed by a job
     */
    public void runs(String option, List<String> paths) {
        List<CutPaths.Run> runs = new ArrayList<>();
        for (String path : paths) {
            runs.add(
                    CutPaths.runAt(FlinkFiles.absolute(path))
                            .orElseThrow(() -> refusal(option, path, "MODEL/runs/RUN")));
            checkThere(option, runs.get(runs.size() - 1).model());
        }
        guarded(
                option,
                () -> {
                    findTraining(runs.stream().map(CutPaths.Run::model).collect(toSet()));
                    runs.forEach(this::check);
                    for (CutPaths.Run run : runs) {
                        String place = CutPaths.run(run.model(), run.run());
                        note(place, new CutCatalog(storage, run.model()).removeRun(run.run()));
                    }
                });
    }

    private static CommandException refusal(String option, String path, String shape) {
        return new CommandException(
                option + ": " + path + " is not " + shape + ", as model list shows it");
    }

    private void checkThere(String option, String model) {
        try {
            if (!storage.exists(CutPaths.runs(model))) {
                throw new CommandException(option + ": no run of a model was in " + model);
            }
        } catch (IOException e) {
            throw new CommandException(option + ": " + Failures.reason(e), e);
        }
    }

    private void note(String path, long bytes) {
        if (bytes > 0) {
            removed.accept(new Removed(path, bytes));
        }
    }

    private static void guarded(String option, Runnable removal) {
        try {
            removal.run();
        } catch (CommandException | PsException e) {
            throw new CommandException(option + ": " + e.getMessage(), e);
        }
    }

    private void checkDependents(String model, CutId cut, List<CutId> others) {
        List<CutSummary> needing = new ArrayList<>(new CutCatalog(storage, model).dependents(cut));
        needing.removeIf(each -> others.contains(each.id()));
        if (!needing.isEmpty()) {
            throw new CommandException(
                    CutPaths.manifest(model, cut)
                            + " is needed by cuts that add to it, "
                            + needing.stream()
                                    .map(each -> each.ref().path())
                                    .collect(Collectors.joining(", "))
                            + ": remove those with it, or keep it");
        }
    }

    private void checkUse(String model, CutId cut) {
        for (String run : training.get(model)) {
            use(model, cut, run)
                    .ifPresent(why -> refuse(CutPaths.manifest(model, cut) + " " + why));
        }
    }

    private void check(CutPaths.Run run) {
        String place = CutPaths.run(run.model(), run.run());
        for (String other : training.get(run.model())) {
            if (other.equals(run.run())) {
                refuse(place + " is of a job that trains the model now");
            }
            begins(run.model(), run.run(), other).ifPresent(why -> refuse(place + " " + why));
        }
    }

    private void refuse(String why) {
        if (!force) {
            throw new CommandException(why + ". " + FORCE + " removes it all the same");
        }
    }

    /**
     * Finds the runs of jobs that train models, as their registries say now. Leaves out what is on
     * servers that outlive their job, which needs no cut.
     */
    private void findTraining(Set<String> models) {
        if (force) {
            models.forEach(model -> training.put(model, List.of())); // whatever they would be
            return;
        }
        try {
            RunningJobs.find(models)
                    .forEach(
                            (model, entries) ->
                                    training.put(
                                            model,
                                            entries.stream()
                                                    .filter(entry -> !entry.outlivesJob())
                                                    .map(ServiceAddress::run)
                                                    .toList()));
        } catch (IOException e) {
            throw new CommandException(
                    "cannot tell which jobs train the model: " + Failures.reason(e), e);
        }
    }

    /** Returns why the job of a run that trains may need a cut; empty if it does not. */
    private Optional<String> use(String model, CutId cut, String run) {
        if (!run.equals(cut.run())) {
            return begins(model, cut.run(), run);
        }
        List<CutId> complete = complete(model, run);
        if (complete.contains(cut)) {
            return Optional.of(
                    "is of a checkpoint of a job that trains the model now, run "
                            + run
                            + ", which removes it in time");
        }
        boolean passed = complete.stream().anyMatch(each -> each.number() > cut.number());
        return passed
                ? Optional.empty()
                : Optional.of(
                        "may be of a checkpoint that is just being completed: run "
                                + run
                                + " trains the model now, and no later checkpoint of it is"
                                + " complete");
    }

    /** Returns why the job of a run may need what another run has left; empty if it does not. */
    private Optional<String> begins(String model, String left, String run) {
        if (complete(model, run).isEmpty()) {
            return Optional.of(
                    "may be what run "
                            + run
                            + " goes on from, which trains the model now and of which no"
                            + " checkpoint is complete");
        }
        return hasRows(model, left)
                ? Optional.of(
                        "may be what run "
                                + run
                                + " has gone on from, which trains the model now and may need the"
                                + " rows of several passes that run "
                                + left
                                + " has kept")
                : Optional.empty();
    }

    private boolean hasRows(String model, String run) {
        String rows = CutPaths.rows(model, run);
        try {
            return !storage.list(rows).isEmpty();
        } catch (IOException e) {
            throw new CommandException("cannot list " + rows + ": " + Failures.reason(e), e);
        }
    }

    private List<CutId> complete(String model, String run) {
        return new CutCatalog(storage, model).marked(run, CutSummary.Status.COMPLETE);
    }
}
