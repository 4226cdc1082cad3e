package io.github.flinkps.harness.oracle;

import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.RowBlock;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutManifests;
import io.github.flinkps.model.cut.CutPartition;
import io.github.flinkps.model.cut.CutPaths;
import io.github.flinkps.model.cut.CutReader;
import io.github.flinkps.model.cut.CutTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Compares saved models and cuts with the records that must be in them. A cut must have the records
 * before its checkpoint's offsets, without those that workers had in that checkpoint and had not
 * trained. Workers may retain updates of the records in a cut. One thread.
 */
final class CutCheck {
    private static final ModelStorage STORAGE = new LocalModelStorage();

    private final OracleHooks hooks;
    private final int numbers;
    private final int epochs;
    private final BiPredicate<Long, Long> allowed;
    private final Supplier<Steps> steps;

    /** The differences found, for people. */
    private final List<String> findings = new ArrayList<>();

    /**
     * @param allowed whether so many counts may be too small, and so many too great
     * @param steps new ones for the jobs so far; null where mini-batches may be torn
     */
    CutCheck(
            OracleHooks hooks,
            int numbers,
            int epochs,
            BiPredicate<Long, Long> allowed,
            Supplier<Steps> steps) {
        this.hooks = hooks;
        this.numbers = numbers;
        this.epochs = epochs;
        this.allowed = allowed;
        this.steps = steps;
    }

    /** Returns what differed so far. */
    List<String> findings() {
        return List.copyOf(findings);
    }

    /** Returns the model that a run has saved: every row once a pass. */
    Counts.Difference model(Path directory) {
        Counts counts = new Counts(numbers);
        try (BufferAllocator memory = new RootAllocator();
                ModelReader reader =
                        ModelReader.open(STORAGE, LocalModelStorage.path(directory), memory)) {
            for (int table = 0; table < OracleModel.COUNTED.size(); table++) {
                int at = table;
                reader.read(OracleModel.COUNTED.get(table), rows -> fill(counts, at, rows));
            }
            if (steps != null) {
                Steps made = steps.get();
                Steps.TABLES.forEach(table -> reader.read(table, rows -> made.take(table, rows)));
                note("the model", made.model());
            }
        }
        int[] times = new int[numbers];
        Arrays.fill(times, epochs);
        return compare("the model", counts, times);
    }

    private void note(String what, List<String> differences) {
        differences.forEach(difference -> findings.add(what + ": " + difference));
    }

    private Counts.Difference compare(String what, Counts counts, int[] times) {
        Counts wanted = Counts.of(times);
        Counts.Difference difference = counts.from(wanted);
        if (!allowed.test(difference.lost(), difference.doubled())) {
            findings.add(
                    what
                            + ": "
                            + difference.lost()
                            + " lost, "
                            + difference.doubled()
                            + " doubled: "
                            + counts.examples(wanted));
        }
        return difference;
    }

    private static void fill(Counts counts, int table, RowBlock rows) {
        int width = table == 1 ? 2 : 1;
        for (int row = 0; row < rows.rows(); row++) {
            for (int column = 0; column < width; column++) {
                counts.set(table, rows.keys()[row], column, rows.values()[row * width + column]);
            }
        }
    }

    /** Returns the directories of the complete cuts of all jobs so far, sorted. */
    static List<Path> cuts(Path model) throws IOException {
        Path runs = Path.of(CutPaths.runs(model.toString()));
        while (Files.isDirectory(runs)) {
            try (Stream<Path> files = Files.walk(runs, 4)) {
                return files.filter(file -> file.endsWith(CutPaths.MANIFEST))
                        .map(Path::getParent)
                        .sorted()
                        .toList();
            } catch (UncheckedIOException e) {
                if (!(e.getCause() instanceof NoSuchFileException)) {
                    throw e.getCause();
                }
                // One was removed meanwhile, by the job that ends.
            }
        }
        return List.of();
    }

    /**
     * Returns a cut.
     *
     * @param job that took it
     * @return empty if its checkpoint was never complete, as a worker had not done its part, or if
     *     it is not kept, and is being removed while the job ends
     */
    Optional<Counts.Difference> cut(Path directory, String job) throws IOException {
        Counts counts = new Counts(numbers);
        List<String> ofSteps;
        CutId id;
        int workers;
        String path = LocalModelStorage.path(directory.resolve(CutPaths.MANIFEST));
        try (BufferAllocator memory = new RootAllocator();
                CutReader reader =
                        CutReader.open(STORAGE, CutManifests.at(STORAGE, path), memory)) {
            id = reader.manifest().header().id();
            workers = reader.manifest().header().workers();
            read(reader, counts);
            ofSteps = steps == null ? List.of() : readSteps(reader, steps.get());
        } catch (PsException e) {
            if (!Files.exists(directory.resolve(CutPaths.MANIFEST))) {
                return Optional.empty();
            }
            throw new IOException("a cut cannot be read: " + e.getMessage(), e);
        }
        int[] times = new int[numbers];
        for (int worker = 0; worker < workers; worker++) {
            Path note = hooks.noted(name(job, id, OracleState.NOTE, worker));
            if (!Files.exists(note)) {
                return Optional.empty();
            }
        }
        readBefore(job, id, times);
        for (int number = 0; number < numbers; number++) {
            times[number] *= epochs; // of what no worker had to do with any more
        }
        for (int worker = 0; worker < workers; worker++) {
            trainedBefore(hooks.noted(name(job, id, OracleState.NOTE, worker)), times);
            addRetained(hooks.noted(name(job, id, OracleState.RETAINED, worker)), counts);
        }
        String what = id + " in " + directory;
        note(what, ofSteps);
        return Optional.of(compare(what, counts, times));
    }

    private static String name(String job, CutId id, String kind, int subtask) {
        return OracleHooks.name(job, Long.toString(id.number()), kind, subtask);
    }

    private static void read(CutReader reader, Counts counts) {
        for (int i = 0; i < OracleModel.COUNTED.size(); i++) {
            int at = i;
            read(reader, OracleModel.COUNTED.get(i), rows -> fill(counts, at, rows));
        }
        reader.readRounds(
                push -> {
                    CutTable pushed = reader.manifest().tables().get(push.table());
                    TableSpec spec = pushed.layout().spec();
                    int table = OracleModel.COUNTED.indexOf(spec.name());
                    for (int i = 0; table >= 0 && i < push.gradients().length; i++) {
                        long key = push.keys()[i / spec.width()];
                        counts.add(table, key, i % spec.width(), push.gradients()[i]);
                    }
                });
    }

    private static List<CutPartition> read(
            CutReader reader, String table, Consumer<RowBlock> consumer) {
        List<CutPartition> partitions =
                reader.manifest().tables().get(reader.indexOf(table)).partitions();
        partitions.forEach(each -> reader.read(table, each.partition(), consumer));
        return partitions;
    }

    private static List<String> readSteps(CutReader reader, Steps steps) {
        long[] counted =
                Steps.TABLES.stream()
                        .map(table -> read(reader, table, rows -> steps.take(table, rows)))
                        .flatMap(List::stream)
                        .mapToLong(CutPartition::step)
                        .toArray();
        return steps.cut(counted);
    }

    private Path end(String job, int reader) {
        return hooks.noted(OracleHooks.name(job, OracleGate.END, OracleGate.NOTE, reader));
    }

    /** Returns whether so many readers of a job have read all. */
    boolean readersEnded(String job, int readers) {
        return IntStream.range(0, readers).allMatch(reader -> Files.exists(end(job, reader)));
    }

    /** Counts records before the offsets of the checkpoint; all of readers that had ended. */
    private void readBefore(String job, CutId id, int[] times) throws IOException {
        int found = 0;
        for (int reader = 0; ; reader++) {
            Path note = hooks.noted(name(job, id, OracleGate.NOTE, reader));
            Path end = end(job, reader);
            if (Files.exists(note)) {
                Intervals.read(note).countInto(times);
            } else if (Files.exists(end)) {
                Intervals.read(end).countInto(times);
            } else {
                break;
            }
            found++;
        }
        if (found == 0) { // the job went on from a savepoint in which all had ended
            Arrays.fill(times, 1);
        }
    }

    /** Adds what a worker retained. */
    private static void addRetained(Path note, Counts counts) throws IOException {
        for (ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(note)); in.hasRemaining(); ) {
            int table = in.getInt();
            long key = in.getLong();
            int width = in.getInt();
            for (int column = 0; column < width; column++) {
                counts.add(table, key, column, in.getFloat());
            }
        }
    }

    /** Sets how often the rows were trained that a worker had not done with. */
    private void trainedBefore(Path note, int[] times) throws IOException {
        byte[] bytes = Files.readAllBytes(note);
        for (ByteBuffer in = ByteBuffer.wrap(bytes); in.hasRemaining(); ) {
            int trained = in.getInt();
            times[(int) in.getLong()] += trained - epochs;
        }
    }
}
