package io.github.flinkps.flink.training.cut;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.service.JobFolders;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.TableLayout;
import io.github.flinkps.model.cut.CutBase;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutHeader;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutManifest;
import io.github.flinkps.model.cut.CutManifests;
import io.github.flinkps.model.cut.CutPaths;
import io.github.flinkps.model.cut.CutProgress;
import io.github.flinkps.model.cut.CutSummary;
import io.github.flinkps.model.cut.ManifestRef;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Writes manifests of cuts below a model's directory, through Flink's file systems. */
public final class ManifestPublisher implements CutPublisher {
    private static final long serialVersionUID = 1L;

    private final String directory;
    private final String model;
    private final String algorithm;
    private final TreeMap<String, String> parameters;
    private final String input;
    private final ConsistencySpec consistency;

    /** Belongs to the thread that removes what other runs have left; null before the first time. */
    private transient EndedRuns endedRuns;

    /**
     * Makes a publisher for the cuts of one model. Every manifest says how the model is trained, so
     * that a cut can be read as a model.
     *
     * @param directory of the model, below which the manifests are written
     * @param model its name
     * @param algorithm the name of its algorithm
     * @param parameters the algorithm's options by key
     * @param input how records become rows of the model, see {@link ModelHeader}
     * @param consistency by which it is trained
     */
    public ManifestPublisher(
            String directory,
            String model,
            String algorithm,
            Map<String, String> parameters,
            String input,
            ConsistencySpec consistency) {
        this.directory = directory;
        this.model = model;
        this.algorithm = algorithm;
        this.parameters = new TreeMap<>(parameters);
        this.input = input;
        this.consistency = consistency;
    }

    @Override
    public CutPublisher ofJob(String jobId) {
        String folder = JobFolders.of(directory, jobId);
        return new ManifestPublisher(folder, model, algorithm, parameters, input, consistency);
    }

    @Override
    public String directory() {
        return directory;
    }

    @Override
    public ManifestRef publish(Parts parts, boolean write) throws IOException {
        List<TableLayout> layouts = parts.report().layouts();
        ModelHeader header =
                new ModelHeader(
                        model,
                        algorithm,
                        parameters,
                        layouts.stream().map(TableLayout::spec).toList(),
                        input,
                        true);
        CutManifest manifest =
                CutManifest.merge(
                        new CutHeader(
                                header,
                                parts.cut(),
                                Instant.ofEpochMilli(parts.barrier().timestamp()),
                                parts.barrier().savepoint(),
                                consistency,
                                parts.workers(),
                                base(parts)),
                        layouts,
                        parts.report().parts());
        try {
            return write
                    ? CutManifests.publish(new FlinkModelStorage(), directory, manifest)
                    : CutManifests.reference(directory, manifest);
        } catch (PsException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private interface Use<T> {
        T of(CutCatalog cuts) throws IOException;
    }

    private <T> T use(Use<T> use) throws IOException {
        try {
            return use.of(new CutCatalog(new FlinkModelStorage(), directory));
        } catch (PsException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void noteProgress(CutId cut, CutProgress progress) throws IOException {
        use(
                cuts -> {
                    cuts.noteProgress(cut, progress);
                    return null;
                });
    }

    @Override
    public void complete(CutId cut) throws IOException {
        use(
                cuts -> {
                    cuts.markComplete(cut);
                    return null;
                });
    }

    @Override
    public List<CutId> completed(String run) throws IOException {
        return use(cuts -> cuts.marked(run, CutSummary.Status.COMPLETE));
    }

    @Override
    public void abandon(String run, long fence, CutId restored) throws IOException {
        use(
                cuts -> {
                    cuts.markAbandoned(run, fence, Optional.ofNullable(restored));
                    return null;
                });
    }

    @Override
    public List<CutId> unnoted(String run, long fence) throws IOException {
        return use(cuts -> cuts.unnoted(run, fence));
    }

    @Override
    public List<CutId> aborted(String run) throws IOException {
        return use(cuts -> cuts.marked(run, CutSummary.Status.ABORTED));
    }

    @Override
    public Set<CutId> standIns(String run) throws IOException {
        return use(cuts -> cuts.standIns(run));
    }

    @Override
    public Set<CutId> copies(String run) throws IOException {
        return use(cuts -> cuts.copies(run));
    }

    @Override
    public List<CutId> remove(String run, List<CutId> removable) throws IOException {
        return use(cuts -> cuts.removeUnneeded(run, removable));
    }

    @Override
    public void removeRows(String run, long from) throws IOException {
        ModelStorage storage = new FlinkModelStorage();
        List<CutSummary> kept = use(cuts -> cuts.list(run).cuts());
        if (kept.stream().noneMatch(cut -> cut.id().number() < from && cut.isOfSavepoint())) {
            storage.delete(CutPaths.rows(directory, run));
        }
    }

    @Override
    public void sweep(String run, long fence) throws IOException {
        use(cuts -> cuts.sweep(run, fence));
    }

    @Override
    public void removeLeft(String run) throws IOException {
        if (endedRuns == null) {
            endedRuns = new EndedRuns(new FlinkModelStorage(), directory, System::nanoTime);
        }
        endedRuns.removeLeft(run);
    }

    private static Optional<CutBase> base(Parts parts) throws IOException {
        if (parts.report().base() == 0) {
            return Optional.empty();
        }
        if (parts.base() == null) {
            throw new IOException(
                    parts.cut() + " adds to cut " + parts.report().base() + ", which is not known");
        }
        CutId base = new CutId(parts.cut().run(), parts.cut().fence(), parts.report().base());
        return Optional.of(new CutBase(base, parts.base().crc32c()));
    }
}
