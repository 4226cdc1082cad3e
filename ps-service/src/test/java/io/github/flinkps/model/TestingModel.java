package io.github.flinkps.model;

import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;

/** A small model of random rows, a function of its seed. */
public final class TestingModel {
    static final TableSpec WEIGHTS =
            TableSpec.sparse("weights", 1, UpdateSpec.of("adagrad").with("learning-rate", .1))
                    .withKeyBits(20)
                    .withPartitions(8);
    static final TableSpec EMBEDDING =
            TableSpec.dense("embed/ding", 100, 48, UpdateSpec.sgd(.05))
                    .withPartitions(3)
                    .withInitializer(InitializerSpec.normal(.1f, .01f), -5);
    static final Map<String, String> FACTS = Map.of("rows", "123", "epochs", "5");

    private final long seed;
    private final boolean slots;
    private final int mostRows;

    public TestingModel(long seed, boolean slots) {
        this(seed, slots, 70_000);
    }

    public TestingModel(long seed, boolean slots, int mostRows) {
        this.seed = seed;
        this.slots = slots;
        this.mostRows = mostRows;
    }

    ModelHeader header() {
        return new ModelHeader(
                "m",
                "logistic-regression",
                Map.of("bias", "true"),
                List.of(WEIGHTS, EMBEDDING),
                "{}",
                slots);
    }

    /**
     * Partition 0 of every table is empty; partition 1 of the weights is several batches long by
     * default.
     */
    List<RowBlock> blocks(TableSpec table, int partition) {
        Random random = new Random(seed * 1000 + partition);
        List<RowBlock> blocks = new ArrayList<>();
        int slotCount = slots && table.equals(WEIGHTS) ? 2 : 0;
        for (int i = 0; i < (partition == 0 ? 0 : 2); i++) {
            int rows = table.equals(WEIGHTS) && partition == 1 ? mostRows : 1 + random.nextInt(20);
            float[][] slotValues = new float[slotCount][];
            Arrays.setAll(slotValues, s -> floats(random, rows * table.width()));
            blocks.add(
                    new RowBlock(
                            random.longs(rows).toArray(),
                            floats(random, rows * table.width()),
                            slotValues,
                            rows));
        }
        return blocks;
    }

    private static float[] floats(Random random, int count) {
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            floats[i] = random.nextFloat();
        }
        return floats;
    }

    /** Writes all of it and closes the writer, whatever happens. */
    public ModelManifest write(ModelStorage storage, String directory, BufferAllocator allocator) {
        try (ModelWriter writer = ModelWriter.begin(storage, directory, header(), allocator)) {
            writeTo(writer);
            return writer.commit(FACTS);
        }
    }

    /** Writes all its partitions. */
    void writeTo(ModelWriter writer) {
        for (TableSpec table : header().tables()) {
            for (int p = 0; p < table.partitions(); p++) {
                writer.writePartition(table.name(), p, blocks(table, p).iterator());
            }
        }
    }

    /** All numbers of a model, as bits, by table and partition. */
    public Map<String, List<Long>> content() {
        Map<String, List<Long>> content = new TreeMap<>();
        for (TableSpec table : header().tables()) {
            for (int p = 0; p < table.partitions(); p++) {
                content.put(table.name() + p, numbers(blocks(table, p)));
            }
        }
        return content;
    }

    public static Map<String, List<Long>> content(ModelReader reader) {
        Map<String, List<Long>> content = new TreeMap<>();
        for (ModelTable table : reader.manifest().tables()) {
            String name = table.spec().name();
            for (ModelFile file : table.files()) {
                List<RowBlock> blocks = new ArrayList<>();
                reader.read(name, file.partition(), block -> blocks.add(copy(block)));
                content.put(name + file.partition(), numbers(blocks));
            }
        }
        return content;
    }

    private static RowBlock copy(RowBlock block) {
        if (block.values().length > BlockFormat.VALUES) {
            throw new AssertionError(block.values().length + " values in a block");
        }
        float[][] slots = new float[block.slots().length][];
        Arrays.setAll(slots, s -> block.slots()[s].clone());
        return new RowBlock(block.keys().clone(), block.values().clone(), slots, block.rows());
    }

    /** Keys, then values, then each slot, however the rows are cut. */
    private static List<Long> numbers(List<RowBlock> blocks) {
        List<Long> numbers = new ArrayList<>();
        for (RowBlock block : blocks) {
            for (int i = 0; i < block.rows(); i++) {
                numbers.add(block.keys()[i]);
            }
        }
        for (RowBlock block : blocks) {
            add(
                    numbers,
                    block.values(),
                    block.rows() * (block.values().length / block.keys().length));
        }
        for (int s = 0; s < (blocks.isEmpty() ? 0 : blocks.get(0).slots().length); s++) {
            for (RowBlock block : blocks) {
                add(
                        numbers,
                        block.slots()[s],
                        block.rows() * (block.values().length / block.keys().length));
            }
        }
        return numbers;
    }

    private static void add(List<Long> numbers, float[] values, int count) {
        for (int i = 0; i < count; i++) {
            numbers.add((long) Float.floatToRawIntBits(values[i]));
        }
    }
}
