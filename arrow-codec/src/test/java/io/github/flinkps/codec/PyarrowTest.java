package io.github.flinkps.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** pyarrow reads what we write and the other way round, where a Python with pyarrow is there. */
class PyarrowTest {
    private static final String PYTHON = System.getenv().getOrDefault("FLINK_PS_PYTHON", "python3");

    @TempDir Path folder;

    @Test
    void pyarrowReadsAndWritesTheSame() throws IOException, InterruptedException {
        boolean present = run(PYTHON, "-c", "import pyarrow") == 0;
        if (!present) {
            System.out.println("PyarrowTest skipped: " + PYTHON + " has no pyarrow");
        }
        Assumptions.assumeTrue(present, PYTHON + " has no pyarrow");
        String script = new File("src/test/resources/python/batches.py").getAbsolutePath();
        assertThat(run(PYTHON, script, "write", folder.toString())).as(output()).isZero();
        List<String> read = new ArrayList<>(List.of(PYTHON, script, "read"));
        List<String> expected = new ArrayList<>();
        for (Map.Entry<String, TestBatch> batch : GoldenBatches.all().entrySet()) {
            Path theirs = folder.resolve(batch.getKey() + ".pyarrow.arrows");
            GoldenFilesTest.readStream(batch.getValue(), Files.readAllBytes(theirs));
            Path ours = folder.resolve(batch.getKey() + ".arrows");
            Files.write(ours, ArrowBridge.stream(batch.getValue()));
            read.add(ours.toString());
            expected.addAll(json(batch.getValue().layout(), batch.getKey()));
        }
        assertThat(run(read.toArray(String[]::new))).as(output()).isZero();
        assertThat(output().lines().toList()).isEqualTo(expected);
    }

    /** Returns the lines that the script prints of a batch: its schema, then its columns. */
    private static List<String> json(BatchLayout layout, String name) {
        int rows = name.endsWith("empty") ? 0 : GoldenBatches.KEYS.length;
        List<String> types = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        int scale = 1;
        for (Column column : layout.columns()) {
            String type =
                    switch (column.kind()) {
                        case KEY -> "int64";
                        case VALUE ->
                                "fixed_size_list<item: float not null>[" + layout.width() + "]";
                        case HALF ->
                                "fixed_size_list<item: halffloat not null>[" + layout.width() + "]";
                        case UPPER_HALF ->
                                "fixed_size_list<item: uint16 not null>[" + layout.width() + "]";
                        case INT8 -> "fixed_size_list<item: int8 not null>[" + layout.width() + "]";
                        case SCALE -> "float";
                        case STEP -> "int32";
                        case BYTES -> "binary";
                    };
            types.add("[\"" + column.name() + "\", \"" + type + "\"]");
            switch (column.kind()) {
                case KEY -> lines.add(Arrays.toString(Arrays.copyOf(GoldenBatches.KEYS, rows)));
                case STEP -> lines.add(Arrays.toString(Arrays.copyOf(GoldenBatches.STEPS, rows)));
                case INT8 -> lines.add(bytes(rows, layout.width()));
                case SCALE -> lines.add(Arrays.toString(GoldenBatches.values(rows, scale++)));
                case VALUE, HALF -> lines.add(lists(rows, layout.width(), scale++));
                case UPPER_HALF -> lines.add(upperHalves(rows, layout.width(), scale++));
                case BYTES -> {
                    int[] bytes = new int[100];
                    Arrays.setAll(bytes, i -> i);
                    lines.add("[" + Arrays.toString(bytes) + "]");
                }
            }
        }
        lines.add(0, types.toString());
        return lines;
    }

    private static String lists(int rows, int width, int scale) {
        float[] values = GoldenBatches.values(rows * width, scale);
        List<String> lists = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            lists.add(Arrays.toString(Arrays.copyOfRange(values, i * width, (i + 1) * width)));
        }
        return lists.toString();
    }

    private static String bytes(int rows, int width) {
        List<String> lists = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            int first = i * width - 5;
            lists.add(Arrays.toString(IntStream.range(first, first + width).toArray()));
        }
        return lists.toString();
    }

    private static String upperHalves(int rows, int width, int scale) {
        float[] values = GoldenBatches.values(rows * width, scale);
        List<String> lists = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            int[] halves = new int[width];
            for (int j = 0; j < width; j++) {
                halves[j] = Float.floatToIntBits(values[i * width + j]) >>> 16;
            }
            lists.add(Arrays.toString(halves));
        }
        return lists.toString();
    }

    private int run(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(folder.resolve("output").toFile())
                            .start();
        } catch (IOException e) {
            // No such program.
            return -1;
        }
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(String.join(" ", command) + " does not end");
        }
        return process.exitValue();
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output"), StandardCharsets.UTF_8);
    }
}
