package io.github.flinkps.cli.progress;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Encodes events for TensorBoard: as Protocol Buffers, each in a frame of TFRecord.
 *
 * <p>A frame is the length of its data (8 bytes), the masked CRC-32C of those 8 bytes, the data,
 * and the masked CRC-32C of the data. Checksums have 4 bytes; all numbers are little endian. A
 * masked checksum is the checksum turned right by 15 bits plus 0xa282ead8. Of the messages only
 * these fields are written:
 *
 * <pre>
 * Event   1 wall_time double, 2 step int64, 3 file_version string, 5 summary Summary
 * Summary 1 value repeated Value
 * Value   1 tag string, 2 simple_value float
 * </pre>
 */
final class EventRecords {
    private static final int MASK = 0xa282ead8;
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;

    private EventRecords() {}

    /** Returns the first event of a file. */
    static byte[] version(double wallSeconds) {
        ByteArrayOutputStream event = new ByteArrayOutputStream();
        fixed64(event, 1, Double.doubleToRawLongBits(wallSeconds));
        bytes(event, 3, "brain.Event:2".getBytes(StandardCharsets.UTF_8));
        return frame(event.toByteArray());
    }

    /** Returns the record of the numbers of a step, by their tags. */
    static byte[] scalars(double wallSeconds, long step, Map<String, Double> values) {
        ByteArrayOutputStream summary = new ByteArrayOutputStream();
        values.forEach(
                (tag, number) -> {
                    ByteArrayOutputStream value = new ByteArrayOutputStream();
                    bytes(value, 1, tag.getBytes(StandardCharsets.UTF_8));
                    tag(value, 2, FIXED32);
                    littleEndian(value, Float.floatToRawIntBits(number.floatValue()), 4);
                    bytes(summary, 1, value.toByteArray());
                });
        ByteArrayOutputStream event = new ByteArrayOutputStream();
        fixed64(event, 1, Double.doubleToRawLongBits(wallSeconds));
        tag(event, 2, VARINT);
        varint(event, step);
        bytes(event, 5, summary.toByteArray());
        return frame(event.toByteArray());
    }

    private static byte[] frame(byte[] data) {
        ByteBuffer frame = ByteBuffer.allocate(data.length + 16).order(ByteOrder.LITTLE_ENDIAN);
        frame.putLong(data.length);
        frame.putInt(masked(frame.array(), 0, 8));
        frame.put(data);
        return frame.putInt(masked(data, 0, data.length)).array();
    }

    private static int masked(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return Integer.rotateRight((int) crc.getValue(), 15) + MASK;
    }

    private static void fixed64(ByteArrayOutputStream out, int field, long value) {
        tag(out, field, FIXED64);
        littleEndian(out, value, 8);
    }

    private static void bytes(ByteArrayOutputStream out, int field, byte[] value) {
        tag(out, field, BYTES);
        varint(out, value.length);
        out.writeBytes(value);
    }

    private static void tag(ByteArrayOutputStream out, int field, int type) {
        varint(out, (long) field << 3 | type);
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    private static void littleEndian(ByteArrayOutputStream out, long value, int bytes) {
        for (int i = 0; i < bytes; i++) {
            out.write((int) (value >>> 8 * i));
        }
    }
}
