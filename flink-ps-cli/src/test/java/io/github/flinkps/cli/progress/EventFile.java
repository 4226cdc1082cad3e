package io.github.flinkps.cli.progress;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads an event file as its specification says, with a checksum of its own. */
public final class EventFile {
    private static final int CASTAGNOLI = 0x82f63b78;

    private EventFile() {}

    /** A number of a step. */
    public record Scalar(double wallSeconds, long step, String tag, float value) {}

    /** All numbers of a file, in order. */
    public static List<Scalar> read(Path file) throws IOException {
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<Scalar> scalars = new ArrayList<>();
        boolean first = true;
        while (all.hasRemaining()) {
            ByteBuffer length = all.slice(all.position(), 8);
            int size = Math.toIntExact(all.getLong());
            check(all.getInt(), length);
            ByteBuffer data = all.slice(all.position(), size).order(ByteOrder.LITTLE_ENDIAN);
            all.position(all.position() + size);
            check(all.getInt(), data);
            event(data, first, scalars);
            first = false;
        }
        if (first) {
            throw new AssertionError("no event");
        }
        return scalars;
    }

    private static void check(int masked, ByteBuffer bytes) {
        int crc = ~0;
        for (int i = 0; i < bytes.limit(); i++) {
            crc ^= bytes.get(i) & 0xff;
            for (int bit = 0; bit < 8; bit++) {
                crc = crc >>> 1 ^ ((crc & 1) == 0 ? 0 : CASTAGNOLI);
            }
        }
        crc = ~crc;
        if (masked != (crc >>> 15 | crc << 17) + 0xa282ead8) {
            throw new AssertionError("checksum");
        }
    }

    private static void event(ByteBuffer data, boolean first, List<Scalar> scalars) {
        double wall = 0;
        long step = 0;
        while (data.hasRemaining()) {
            switch ((int) varint(data)) {
                case 1 << 3 | 1 -> wall = data.getDouble();
                case 2 << 3 -> step = varint(data);
                case 3 << 3 | 2 -> {
                    if (!first || !text(data).equals("brain.Event:2")) {
                        throw new AssertionError("the version comes first");
                    }
                }
                case 5 << 3 | 2 -> {
                    ByteBuffer summary = message(data);
                    while (summary.hasRemaining()) {
                        expect(1 << 3 | 2, varint(summary));
                        ByteBuffer value = message(summary);
                        expect(1 << 3 | 2, varint(value));
                        String tag = text(value);
                        expect(2 << 3 | 5, varint(value));
                        scalars.add(new Scalar(wall, step, tag, value.getFloat()));
                        expect(0, value.remaining());
                    }
                }
                default -> throw new AssertionError("a field that is not known");
            }
        }
    }

    private static void expect(long expected, long found) {
        if (expected != found) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }

    private static ByteBuffer message(ByteBuffer data) {
        int length = Math.toIntExact(varint(data));
        ByteBuffer part = data.slice(data.position(), length).order(ByteOrder.LITTLE_ENDIAN);
        data.position(data.position() + length);
        return part;
    }

    private static String text(ByteBuffer data) {
        return StandardCharsets.UTF_8.decode(message(data)).toString();
    }

    private static long varint(ByteBuffer data) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = data.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}
