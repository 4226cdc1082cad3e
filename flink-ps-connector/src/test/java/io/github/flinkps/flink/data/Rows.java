package io.github.flinkps.flink.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/** Rows as text, for tests. */
final class Rows {
    private Rows() {}

    /** Every row of a batch as {@code label[*weight] key:value ...}. */
    static List<String> of(RowBatch batch) {
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < batch.rows(); row++) {
            StringBuilder text = new StringBuilder().append(batch.labels()[row]);
            if (batch.weights() != null) {
                text.append('*').append(batch.weights()[row]);
            }
            for (int i = batch.rowStart(row); i < batch.rowStart(row + 1); i++) {
                float value = batch.values() == null ? 1f : batch.values()[i];
                text.append(' ').append(batch.keys()[i]).append(':').append(value);
            }
            rows.add(text.toString());
        }
        return rows;
    }

    /** The rows of one line, or of several. */
    static List<String> parse(String lines, RowFormat format) throws RowProblem {
        RowBatchBuilder builder = new RowBatchBuilder();
        RowParser parser = format.newParser();
        for (String line : lines.split("\n")) {
            byte[] bytes = ("??" + line + "??").getBytes(StandardCharsets.UTF_8);
            parser.parse(bytes, 2, bytes.length - 2, builder);
        }
        return of(builder.build());
    }

    /**
     * Well-formed text with rows of all lengths, blank lines, comments and line ends of both kinds.
     */
    static String randomText(Random random, int lines) {
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < lines; line++) {
            int kind = random.nextInt(12);
            if (kind == 0) {
                text.append("# nothing here");
            } else if (kind != 1) {
                text.append(random.nextBoolean() ? "+1" : "-1");
                int entries = kind == 2 ? 0 : kind == 3 ? 60 : random.nextInt(6);
                int key = 0;
                for (int i = 0; i < entries; i++) {
                    key += 1 + random.nextInt(30);
                    text.append(' ').append(key).append(':').append(random.nextInt(4) / 2f);
                }
            }
            text.append(kind == 4 ? "\r\n" : "\n");
        }
        return random.nextBoolean() ? text.toString() : text.append("1 7:1").toString();
    }

    static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }

    static TextFile file(Path path) throws IOException {
        return TextInput.list(List.of(path.toString())).get(0);
    }

    static TextFile file(Path path, String text) throws IOException {
        Files.writeString(path, text);
        return file(path);
    }

    /** All rows of a reader, in the order it gives them; checks that their positions ascend. */
    static List<String> readAll(BlockReader reader) throws IOException {
        List<String> rows = new ArrayList<>();
        long block = -1;
        int row = 0;
        try (reader) {
            for (PositionedBatch next = reader.next(); next != null; next = reader.next()) {
                RowBatch batch = next.batch();
                boolean follows =
                        batch.block() == block ? batch.firstRow() == row : batch.firstRow() == 0;
                if (batch.rows() > 0 && (batch.block() < block || !follows)) {
                    throw new AssertionError(batch + " after block " + block + " row " + row);
                }
                block = batch.block();
                row = batch.firstRow() + batch.rows();
                rows.addAll(of(batch));
            }
        }
        return rows;
    }
}
