package io.github.flinkps.codec;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;

/**
 * Reads one list of {@link DeltaKeys} from a buffer that is exactly it, as far as the sender can be
 * believed.
 */
final class DeltaDecoder {
    private final ByteBuffer source;
    private final int end;
    private final int count;
    private final int shift;
    private final int lengths;
    private final int codeBits;
    private final int codesAt;
    private int at;
    private long key;

    /** Its sign is set once a key has wrapped around. */
    private long carries;

    /**
     * @param count keys, at least 1; {@code source} is long enough for as many of no bytes each
     */
    DeltaDecoder(ByteBuffer source, int count, int shift) {
        this.source = source;
        this.end = source.limit();
        this.count = count;
        this.shift = shift;
        this.lengths = Short.toUnsignedInt(LittleEndian.getShort(source, 0));
        if (!DeltaLengths.valid(lengths)) {
            throw new CodecException(Reason.BAD_METADATA, "keys have unknown lengths " + lengths);
        }
        this.codeBits = DeltaLengths.codeBits(lengths);
        this.codesAt = DeltaKeys.HEADER_BYTES + DeltaKeys.firstBytes(shift);
        this.key = bytes(DeltaKeys.HEADER_BYTES, DeltaKeys.firstBytes(shift));
        this.at = codesAt + DeltaLengths.codeBytes(count - 1, lengths);
        if (at > end) {
            throw truncated();
        }
    }

    void decode(long[] target, int from) {
        target[from] = key << shift;
        int done = groups(target, from + 1);
        for (int i = done; i < count - 1; i++) {
            int bit = i * codeBits;
            int code = source.get(codesAt + (bit >>> 3)) >>> (bit & 7) & (codeBits == 1 ? 1 : 3);
            int length = lengths >>> (code << 2) & 15;
            if (length > end - at) {
                throw truncated();
            }
            long distance = bytes(at, length);
            at += length;
            long next = key + distance + 1;
            carries |= carry(key, distance, next);
            key = next;
            target[from + 1 + i] = next << shift;
        }
        if (at != end) {
            throw new CodecException(
                    Reason.BAD_LENGTH, end - at + " bytes behind " + count + " keys");
        }
        if (carries < 0 || (shift > 0 && key >>> (Long.SIZE - shift) != 0)) {
            throw new CodecException(
                    Reason.BAD_KEYS, "keys leave their space of " + (Long.SIZE - shift) + " bits");
        }
    }

    /**
     * Decodes as many whole groups as can be read eight bytes at a time: the number of distances
     * done.
     */
    private int groups(long[] target, int from) {
        int most = DeltaLengths.longest(lengths);
        int safe = end - (DeltaKeys.GROUP - 1) * most - Long.BYTES;
        int mask = codeBits == 1 ? 1 : 3;
        int place = at;
        int done = 0;
        long last = key;
        long wrapped = 0;
        for (int codePlace = codesAt;
                done + DeltaKeys.GROUP < count && place <= safe;
                codePlace += codeBits, done += DeltaKeys.GROUP) {
            int codes = LittleEndian.getShort(source, codePlace);
            for (int i = 0; i < DeltaKeys.GROUP; i++) {
                int length = lengths >>> ((codes & mask) << 2) & 15;
                codes >>= codeBits;
                long distance = LittleEndian.getLong(source, place) & DeltaKeys.MASKS[length];
                place += length;
                long next = last + distance + 1;
                wrapped |= carry(last, distance, next);
                last = next;
                target[from + done + i] = next << shift;
            }
        }
        at = place;
        key = last;
        carries = wrapped;
        return done;
    }

    /**
     * The sign is set where {@code sum = a + b + 1} as unsigned numbers is more than 64 bits hold.
     */
    private static long carry(long a, long b, long sum) {
        return (a & b) | ((a | b) & ~sum);
    }

    private long bytes(int from, int length) {
        long value = 0;
        for (int i = 0; i < length; i++) {
            value |= Byte.toUnsignedLong(source.get(from + i)) << (i * Byte.SIZE);
        }
        return value;
    }

    private static CodecException truncated() {
        return new CodecException(Reason.TRUNCATED, "encoded keys end early");
    }
}
