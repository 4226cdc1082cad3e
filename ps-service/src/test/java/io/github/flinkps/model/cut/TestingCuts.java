package io.github.flinkps.model.cut;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.StepCounts;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.BlockFormat;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.RowBlock;
import io.github.flinkps.model.StoredFile;
import io.github.flinkps.model.TableLayout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;

/** A model that changes, as servers would hold it, and its cuts; a function of its seed. */
final class TestingCuts {
    static final String RUN = "run-1";
    static final TableLayout WEIGHTS =
            new TableLayout(
                    TableSpec.sparse("weights", 1, UpdateSpec.of("ftrl")).withPartitions(4),
                    2,
                    false);
    static final TableLayout REGULARISED =
            new TableLayout(
                    TableSpec.sparse("regularised", 3, UpdateSpec.sgd(.1).with("l2", .1))
                            .withPartitions(4),
                    0,
                    true);
    static final TableLayout EMBEDDING =
            new TableLayout(
                    TableSpec.dense("embed/ding", 100, 16, UpdateSpec.of("adam")).withPartitions(3),
                    2,
                    true);

    private static final int[] ODD_BITS = {
        0x7FC0_1234, 0xFFFF_FFFF, 0x7F80_0001, 0x8000_0000, 0x7F80_0000, 1, 0
    };

    final ModelStorage storage;
    final String model;
    final List<TableLayout> layouts;
    final Random random;
    final int workers = 3;

    /**
     * The rows by table and partition, {@code key -> values, slots, step} as bits, in order of
     * birth.
     */
    final List<List<Map<Long, int[]>>> rows = new ArrayList<>();

    private final List<List<Set<Long>>> changed = new ArrayList<>();
    long step = 1;
    long fence = 7;

    /** True if cuts from now on are those of savepoints. */
    boolean savepoint;

    /** True if all workers have finished in cuts from now on. */
    boolean finished;

    Instant time = Instant.ofEpochSecond(1_700_000_000);
    List<RoundPush> pushes = List.of();
    boolean shuffled;

    TestingCuts(ModelStorage storage, String model, List<TableLayout> layouts, long seed) {
        this.storage = storage;
        this.model = model;
        this.layouts = layouts;
        this.random = new Random(seed);
        for (TableLayout layout : layouts) {
            List<Map<Long, int[]>> partitions = new ArrayList<>();
            List<Set<Long>> changes = new ArrayList<>();
            for (int p = 0; p < layout.spec().partitions(); p++) {
                partitions.add(new LinkedHashMap<>());
                changes.add(new LinkedHashSet<>());
            }
            rows.add(partitions);
            changed.add(changes);
        }
    }

    TestingCuts(ModelStorage storage, String model, long seed) {
        this(storage, model, List.of(WEIGHTS, REGULARISED, EMBEDDING), seed);
    }

    /** Writes rows: births and changes, none in partition 0. */
    void train(int perPartition) {
        step += 3;
        for (int t = 0; t < layouts.size(); t++) {
            TableSpec spec = layouts.get(t).spec();
            for (int p = 1; p < spec.partitions(); p++) {
                for (int i = 0; i < perPartition; i++) {
                    long key =
                            spec.isSparse()
                                    ? random.nextLong() >> random.nextInt(60)
                                    : p * 40L + i % 20;
                    touch(t, p, key);
                }
            }
        }
    }

    void touch(int table, int partition, long key) {
        TableLayout layout = layouts.get(table);
        int[] row =
                new int[layout.spec().width() * (1 + layout.slots()) + (layout.steps() ? 1 : 0)];
        for (int i = 0; i < row.length; i++) {
            row[i] =
                    random.nextInt(4) == 0
                            ? ODD_BITS[random.nextInt(ODD_BITS.length)]
                            : random.nextInt();
        }
        rows.get(table).get(partition).put(key, row);
        changed.get(table).get(partition).add(key);
    }

    CutId id(long number) {
        return new CutId(RUN, fence, number);
    }

    ModelHeader header() {
        List<TableSpec> specs = layouts.stream().map(TableLayout::spec).toList();
        return new ModelHeader("m", "algorithm", Map.of("bias", "true"), specs, "{}", true);
    }

    CutHeader header(long number, Optional<CutBase> base) {
        return new CutHeader(
                header(), id(number), time, savepoint, ConsistencySpec.ssp(2), workers, base);
    }

    /** Writes a cut: all rows, or those changed since the last cut if there is a base. */
    ManifestRef cut(long number, Optional<CutBase> base, BufferAllocator allocator) {
        List<CutPart> parts = parts(number, base.isEmpty(), allocator);
        return publish(number, base, parts);
    }

    ManifestRef publish(long number, Optional<CutBase> base, List<CutPart> parts) {
        if (shuffled) {
            Collections.shuffle(parts, random);
        }
        CutManifest manifest = CutManifest.merge(header(number, base), layouts, parts);
        ManifestRef ref = CutManifests.publish(storage, model, manifest);
        changed.forEach(table -> table.forEach(Set::clear));
        return ref;
    }

    CutBase base(long number, ManifestRef ref) {
        return new CutBase(id(number), ref.crc32c());
    }

    /** Returns the reports of two writers, of even and of odd partitions. */
    List<CutPart> parts(long number, boolean full, BufferAllocator allocator) {
        List<CutPart> parts = new ArrayList<>();
        for (int writer = 0; writer < 2; writer++) {
            parts.add(part(number, writer, full, allocator));
        }
        return parts;
    }

    private CutPart part(long number, int writer, boolean full, BufferAllocator allocator) {
        String directory = CutPaths.directory(model, id(number));
        List<CutPartition> partitions = new ArrayList<>();
        List<StoredFile> rounds;
        try (CutPartWriter out =
                CutPartWriter.open(storage, directory, "0-" + writer, layouts, allocator)) {
            for (int t = 0; t < layouts.size(); t++) {
                for (int p = writer; p < layouts.get(t).spec().partitions(); p += 2) {
                    Map<Long, int[]> held = rows.get(t).get(p);
                    out.begin(t, p);
                    append(out, t, held, full ? held.keySet() : changed.get(t).get(p));
                    partitions.add(
                            new CutPartition(
                                    t,
                                    p,
                                    held.size(),
                                    new StepCounts(step, step / 3, step % 3),
                                    step - 1,
                                    out.finish()));
                }
            }
            for (RoundPush push : pushes) {
                if (push.partition() % 2 == writer) {
                    out.append(push);
                }
            }
            rounds = out.complete();
        }
        List<CutClock> clocks =
                finished
                        ? Collections.nCopies(3, CutClock.finished())
                        : List.of(
                                CutClock.active(5 + writer), CutClock.idle(3), CutClock.finished());
        if (shuffled) {
            Collections.shuffle(partitions, random);
        }
        return new CutPart(partitions, rounds, clocks);
    }

    /** Appends in blocks of any size. */
    private void append(
            CutPartWriter out, int table, Map<Long, int[]> held, Collection<Long> keys) {
        List<Long> left = new ArrayList<>(keys);
        while (!left.isEmpty()) {
            int count = Math.min(left.size(), 1 + random.nextInt(200_000));
            RowBlock block = block(layouts.get(table), held, left.subList(0, count));
            out.append(block.keys(), block.values(), block.slots(), block.steps(), count);
            left = left.subList(count, left.size());
        }
    }

    private static RowBlock block(TableLayout layout, Map<Long, int[]> held, List<Long> keys) {
        int width = layout.spec().width();
        RowBlock block =
                new RowBlock(
                        new long[keys.size()],
                        new float[keys.size() * width],
                        new float[layout.slots()][keys.size() * width],
                        layout.steps() ? new int[keys.size()] : null,
                        keys.size());
        for (int i = 0; i < keys.size(); i++) {
            int[] row = held.get(keys.get(i));
            block.keys()[i] = keys.get(i);
            for (int v = 0; v < width; v++) {
                block.values()[i * width + v] = Float.intBitsToFloat(row[v]);
                for (int s = 0; s < layout.slots(); s++) {
                    block.slots()[s][i * width + v] =
                            Float.intBitsToFloat(row[(1 + s) * width + v]);
                }
            }
            if (layout.steps()) {
                block.steps()[i] = row[row.length - 1];
            }
        }
        return block;
    }

    /** All rows as text, in the order of birth, by table and partition. */
    Map<String, List<String>> content() {
        Map<String, List<String>> content = new TreeMap<>();
        for (int t = 0; t < layouts.size(); t++) {
            for (int p = 0; p < rows.get(t).size(); p++) {
                content.put(t + "/" + p, texts(rows.get(t).get(p)));
            }
        }
        return content;
    }

    private static List<String> texts(Map<Long, int[]> rows) {
        List<String> texts = new ArrayList<>();
        rows.forEach((key, row) -> texts.add(key + Arrays.toString(row)));
        return texts;
    }

    /** Returns the content of a cut that is restored. */
    static Map<String, List<String>> content(CutReader reader) {
        Map<String, List<String>> content = new TreeMap<>();
        List<CutTable> tables = reader.manifest().tables();
        for (int t = 0; t < tables.size(); t++) {
            TableLayout layout = tables.get(t).layout();
            for (int p = 0; p < layout.spec().partitions(); p++) {
                Map<Long, int[]> found = new LinkedHashMap<>();
                reader.read(layout.spec().name(), p, block -> collect(layout, block, found));
                content.put(t + "/" + p, texts(found));
                if (found.size() != tables.get(t).partitions().get(p).rows()) {
                    throw new AssertionError(found.size() + " rows of partition " + p);
                }
            }
        }
        return content;
    }

    private static void collect(TableLayout layout, RowBlock block, Map<Long, int[]> found) {
        int width = layout.spec().width();
        if (block.rows() * width > Math.max(BlockFormat.VALUES, width)) {
            throw new AssertionError(block.rows() + " rows in a block");
        }
        for (int i = 0; i < block.rows(); i++) {
            int[] row = new int[width * (1 + layout.slots()) + (layout.steps() ? 1 : 0)];
            for (int v = 0; v < width; v++) {
                row[v] = Float.floatToRawIntBits(block.values()[i * width + v]);
                for (int s = 0; s < layout.slots(); s++) {
                    row[(1 + s) * width + v] =
                            Float.floatToRawIntBits(block.slots()[s][i * width + v]);
                }
            }
            if (layout.steps()) {
                row[row.length - 1] = block.steps()[i];
            }
            found.put(block.keys()[i], row);
        }
    }

    /** Pushes of two rounds, one of them without rows, one as large as said. */
    List<RoundPush> somePushes(int most) {
        List<RoundPush> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int table = random.nextInt(layouts.size());
            TableSpec spec = layouts.get(table).spec();
            int count = i == 0 ? 0 : i == 1 ? most : random.nextInt(50);
            float[] gradients = new float[count * spec.width()];
            for (int g = 0; g < gradients.length; g++) {
                gradients[g] = Float.intBitsToFloat(random.nextInt());
            }
            all.add(
                    new RoundPush(
                            table,
                            random.nextInt(spec.partitions()),
                            40 + i % 2,
                            random.nextInt(workers),
                            random.nextDouble(),
                            i % 3 == 0 ? 0 : random.nextDouble(),
                            random.longs(count).toArray(),
                            gradients));
        }
        return all;
    }
}
