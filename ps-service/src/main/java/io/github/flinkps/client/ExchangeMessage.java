package io.github.flinkps.client;

import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.codec.BatchView;
import io.github.flinkps.codec.DeltaKeys;
import io.github.flinkps.codec.ValueEncoding;
import io.github.flinkps.codec.ValueFormat;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ExchangeAnswer;
import io.github.flinkps.protocol.ExchangeHeader;
import io.github.flinkps.protocol.ExchangeSection;
import io.github.flinkps.protocol.ExplicitSequence;
import io.github.flinkps.protocol.FrameBody;
import io.github.flinkps.protocol.FrameHeader;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One EXCHANGE to one owner thread: collected, encoded each time it is sent, and its answer read.
 * Used by one thread at a time, but for the methods that are synchronized: an operation may end
 * while others of its requests are still to be sent.
 */
final class ExchangeMessage {
    private final int link;
    private final List<Section> pushes = new ArrayList<>();
    private final List<Section> pulls = new ArrayList<>();
    private int flags;
    private double batchWeight;
    private int session;
    private long sequence;
    private long clock;
    private long pullClock;
    private long cut;
    private long complete;
    private boolean over;

    /**
     * A part of a push or pull.
     *
     * @param part the rows
     * @param cached whether the server knows the keys
     * @param array gradients, or what receives values; the part's runs say where
     * @param weight of the push
     * @param sequences per partition, for plain clients; else empty
     */
    record Section(RowPart part, boolean cached, float[] array, double weight, long[] sequences) {
        private Section readFrom(float[] other) {
            return new Section(part, cached, other, weight, sequences);
        }
    }

    ExchangeMessage(int link) {
        this.link = link;
    }

    int link() {
        return link;
    }

    void addPush(Section push) {
        pushes.add(push);
        if (push.sequences().length > 0) {
            flags |= ExchangeHeader.EXPLICIT_SEQUENCES;
        }
    }

    void addPull(Section pull) {
        pulls.add(pull);
    }

    /** Adds what the entry does, and the weight of the mini-batch which its clock ends. */
    void flag(int flag, double weight) {
        flags |= flag;
        batchWeight = weight;
    }

    /** Makes it a marker of a cut, which says the newest cut known to be complete. */
    void mark(long newCut, long completeCut) {
        flags |= ExchangeHeader.MARKER;
        cut = newCut;
        complete = completeCut;
    }

    /** Returns about how many bytes of keys and values go both ways. */
    long windowBytes() {
        long bytes = 0;
        for (Section push : pushes) {
            bytes += push.part().valueBytes() + keyBytes(push);
        }
        for (Section pull : pulls) {
            bytes += pull.part().valueBytes() + keyBytes(pull);
        }
        return bytes;
    }

    private static long keyBytes(Section section) {
        return section.cached() || section.part().isRange() ? 0 : 8L * section.part().rows();
    }

    boolean hasEntry() {
        return !pushes.isEmpty() || (flags & ~ExchangeHeader.EXPLICIT_SEQUENCES) != 0;
    }

    boolean isExplicit() {
        return (flags & ExchangeHeader.EXPLICIT_SEQUENCES) != 0;
    }

    /** Sets the numbers that are known only when the message is sent. */
    void number(int sessionId, long entrySequence, long newClock, long clockOfPulls) {
        this.session = sessionId;
        this.sequence = entrySequence;
        this.clock = newClock;
        this.pullClock = clockOfPulls;
    }

    /** The form in which the keys of a section travel, and its length in bytes. */
    private record KeyForm(int addressing, long[] hashes, int codedBytes) {
        static final KeyForm NONE = new KeyForm(ExchangeSection.RANGE, null, 0);

        int messageBytes(int rows) {
            return switch (addressing) {
                case ExchangeSection.KEYS -> BatchLayout.keys().encodedSize(rows);
                case ExchangeSection.DELTA -> BatchLayout.encodedKeys().encodedSize(codedBytes);
                default -> 0;
            };
        }
    }

    private static KeyForm keyForm(Section section, boolean spellKeys) {
        RowPart part = section.part();
        int addressing = part.addressing(section.cached() && !spellKeys);
        if (addressing != ExchangeSection.KEYS) {
            return addressing == ExchangeSection.RANGE
                    ? KeyForm.NONE
                    : new KeyForm(addressing, null, 0);
        }
        TableSpec spec = part.route().spec();
        int rowBits = 31 - Integer.numberOfLeadingZeros(part.rows());
        if (spec.isSparse() && spec.keyBits() < 64 && spec.keyBits() - rowBits < 32) {
            long[] hashes = hashes(part);
            int bytes = DeltaKeys.size(hashes, 0, hashes.length, 64 - spec.keyBits());
            if (bytes < 8L * part.rows()) {
                return new KeyForm(ExchangeSection.DELTA, hashes, bytes);
            }
        }
        return new KeyForm(ExchangeSection.KEYS, null, 0);
    }

    private static long[] hashes(RowPart part) {
        long[] hashes = new long[part.rows()];
        int at = 0;
        for (int run = 0; run < part.runs().length; run += 2) {
            int length = part.runs()[run + 1] - part.runs()[run];
            System.arraycopy(part.hashes(), part.runs()[run], hashes, at, length);
            at += length;
        }
        return hashes;
    }

    /** Ends it: it is not sent any more. */
    synchronized void end() {
        over = true;
    }

    /**
     * Reads its values from other arrays from now on, as the caller's go back before it is
     * answered. Where it has a place in a log, later entries wait for it.
     */
    synchronized void readFrom(UnaryOperator<float[]> copies) {
        if (!over) {
            pushes.replaceAll(push -> push.readFrom(copies.apply(push.array())));
        }
    }

    /**
     * Returns the frame, owned by the caller.
     *
     * @param spellKeys whether to send keys the server was thought to know
     * @throws IllegalStateException once it is over
     */
    synchronized ByteBuf encode(boolean spellKeys) {
        if (over) {
            throw new IllegalStateException("its operation has ended");
        }
        List<Section> sections = new ArrayList<>(pushes);
        sections.addAll(pulls);
        int explicit = 0;
        long total = 0;
        KeyForm[] forms = new KeyForm[sections.size()];
        for (int i = 0; i < forms.length; i++) {
            Section section = sections.get(i);
            forms[i] = keyForm(section, spellKeys);
            explicit += section.sequences().length;
            total += forms[i].messageBytes(section.part().rows());
            total +=
                    i < pushes.size()
                            ? section.part().route().pushFormat().encodedSize(section.part().rows())
                            : 0;
        }
        int control = Math.toIntExact(ExchangeHeader.controlLength(forms.length, explicit));
        int bytes = Math.toIntExact(FrameBody.frameLength(control, total));
        ByteBuf frame = ServerLink.allocator().directBuffer(bytes, bytes).writerIndex(bytes);
        FrameHeader.writeRequest(frame, ApiKey.EXCHANGE, control);
        ByteBuffer out = frame.nioBuffer(0, bytes).order(ByteOrder.LITTLE_ENDIAN);
        writeFixed(out);
        int at = FrameBody.begin(out, control);
        int sequences = 0;
        for (int i = 0; i < forms.length; i++) {
            int offset = ExchangeHeader.section(i);
            Section section = sections.get(i);
            ValueEncodings encodings = section.part().route().encodings();
            ValueEncoding encoding = i < pushes.size() ? encodings.push() : encodings.pull();
            writeSection(out, offset, section, forms[i], encoding);
            at = writeKeys(out, offset, at, section.part(), forms[i]);
            if (i < pushes.size()) {
                at = writeValues(out, offset, at, section);
            }
            writeSequences(out, ExchangeHeader.explicitSequence(forms.length, sequences), section);
            sequences += section.sequences().length;
        }
        return frame;
    }

    private void writeFixed(ByteBuffer out) {
        ExchangeHeader.putEntry(out, session, flags, sequence);
        ExchangeHeader.putClocks(out, clock, pullClock, batchWeight);
        ExchangeHeader.putMarker(out, cut, complete);
        ExchangeHeader.putSections(out, pushes.size(), pulls.size());
    }

    private void writeSection(
            ByteBuffer out, int offset, Section section, KeyForm form, ValueEncoding encoding) {
        RowPart part = section.part();
        ExchangeSection.putTable(
                out, offset, part.route().id(link), form.addressing(), encoding.id());
        ExchangeSection.putRows(
                out, offset, part.signature(), part.firstKey(), part.endKey(), part.rows());
        ExchangeSection.putPush(out, offset, section.weight(), section.sequences().length);
        ExchangeSection.putKeys(out, offset, 0, 0);
        ExchangeSection.putValues(out, offset, 0, 0);
    }

    private static void writeSequences(ByteBuffer out, int first, Section section) {
        for (int i = 0; i < section.sequences().length; i++) {
            ExplicitSequence.put(
                    out,
                    first + i * ExplicitSequence.BYTES,
                    section.part().partitions()[i],
                    section.sequences()[i]);
        }
    }

    private static int writeKeys(ByteBuffer out, int offset, int at, RowPart part, KeyForm form) {
        int length = form.messageBytes(part.rows());
        if (length == 0) {
            return at;
        }
        if (form.addressing() == ExchangeSection.DELTA) {
            BatchLayout layout = BatchLayout.encodedKeys();
            layout.writeMetadata(out, at, form.codedBytes());
            int data = at + layout.columnOffset(0, form.codedBytes());
            int shift = 64 - part.route().spec().keyBits();
            DeltaKeys.encode(form.hashes(), 0, form.hashes().length, shift, out, data);
        } else {
            BatchLayout layout = BatchLayout.keys();
            layout.writeMetadata(out, at, part.rows());
            LongBuffer keys =
                    FrameBody.longs(out, at + layout.columnOffset(0, part.rows()), part.rows());
            for (int run = 0; run < part.runs().length; run += 2) {
                keys.put(part.keys(), part.runs()[run], part.runs()[run + 1] - part.runs()[run]);
            }
        }
        ExchangeSection.putKeys(out, offset, at, length);
        return at + length;
    }

    private int writeValues(ByteBuffer out, int offset, int at, Section section) {
        RowPart part = section.part();
        ValueFormat format = part.route().pushFormat();
        int[] runs = part.runs();
        int width = format.width();
        if (part.route().encodings().push() == ValueEncoding.FP32) {
            int column = format.begin(out, at, part.rows());
            gather(section, width, FrameBody.floats(out, column, part.rows() * width));
        } else if (runs.length == 2) {
            format.encode(section.array(), runs[0] * width, part.rows(), dither(), out, at);
        } else {
            float[] values = new float[part.rows() * width];
            gather(section, width, FloatBuffer.wrap(values));
            format.encode(values, 0, part.rows(), dither(), out, at);
        }
        int length = format.encodedSize(part.rows());
        ExchangeSection.putValues(out, offset, at, length);
        return at + length;
    }

    /** Rounds each mini-batch by chance of its own, and an operation that is tried again alike. */
    private long dither() {
        return clock + 1;
    }

    private static void gather(Section push, int width, FloatBuffer values) {
        int[] runs = push.part().runs();
        for (int run = 0; run < runs.length; run += 2) {
            values.put(push.array(), runs[run] * width, (runs[run + 1] - runs[run]) * width);
        }
    }

    /**
     * Copies the values of an answer into the callers' arrays.
     *
     * @return the lowest clock at the owner
     */
    long read(ByteBuf response) {
        int bytes = response.writerIndex();
        ByteBuffer in = response.nioBuffer(0, bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (!FrameHeader.hasControl(response, ExchangeAnswer.controlLength(pulls.size()))
                || ExchangeAnswer.pulls(in) != pulls.size()) {
            throw new IllegalArgumentException(
                    "an answer of " + FrameHeader.controlLength(response) + " control bytes");
        }
        for (int i = 0; i < pulls.size(); i++) {
            readPull(
                    in,
                    pulls.get(i),
                    ExchangeAnswer.valuesOffset(in, i),
                    ExchangeAnswer.valuesLength(in, i));
        }
        return ExchangeAnswer.lowestClock(in);
    }

    private static void readPull(ByteBuffer in, Section pull, int at, int length) {
        RowPart part = pull.part();
        ValueFormat format = part.route().pullFormat();
        BatchView view = format.read(in, at, length, part.rows());
        int[] runs = part.runs();
        int width = format.width();
        if (part.route().encodings().pull() == ValueEncoding.FP32) {
            scatter(pull, width, FrameBody.floats(in, view.valueOffset(), part.rows() * width));
        } else if (runs.length == 2) {
            format.decode(in, view, part.rows(), pull.array(), runs[0] * width);
        } else {
            float[] values = new float[part.rows() * width];
            format.decode(in, view, part.rows(), values, 0);
            scatter(pull, width, FloatBuffer.wrap(values));
        }
    }

    private static void scatter(Section pull, int width, FloatBuffer values) {
        int[] runs = pull.part().runs();
        for (int run = 0; run < runs.length; run += 2) {
            values.get(pull.array(), runs[run] * width, (runs[run + 1] - runs[run]) * width);
        }
    }
}
