package io.github.flinkps.codec;

import io.github.flinkps.codec.CodecException.Reason;

/**
 * Reads one list of {@link DeltaKeys} from an array that begins with exactly it, as far as the
 * sender can be believed.
 */
final class DeltaDecoder {
    /**
     * Bytes the array needs behind the list: a group of the longest distances may begin at its last
     * byte.
     */
    static final int PADDING = DeltaKeys.GROUP * Long.BYTES;

    private final byte[] source;
    private final int end;
    private final int count;
    private final int shift;
    private final int lengths;
    private final int codeBits;
    private final int codesAt;
    private int at;
    private long key;

    /** Collects the carries of all additions: the sign is set once a key has wrapped around. */
    private long carries;

    /**
     * @param length of the list, which is enough for {@code count} keys of no bytes each; at least
     *     {@link #PADDING} bytes of anything come behind
     * @param count keys, at least 1
     */
    DeltaDecoder(byte[] source, int length, int count, int shift) {
        this.source = source;
        this.end = length;
        this.count = count;
        this.shift = shift;
        this.lengths = (int) bytes(0, DeltaKeys.HEADER_BYTES);
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

    private long bytes(int from, int length) {
        return (long) DeltaEncoder.LONG.get(source, from) & DeltaKeys.MASKS[length];
    }

    void decode(long[] target, int from) {
        target[from] = key << shift;
        int first = from + 1;
        int done = codeBits == 1 ? twoLengths(target, first) : fourLengths(target, first);
        for (int i = done; i < count - 1; i++) {
            int bit = i * codeBits;
            int code = source[codesAt + (bit >>> 3)] >>> (bit & 7) & (codeBits == 1 ? 1 : 3);
            int length = lengths >>> (code << 2) & 15;
            if (length > end - at) {
                throw truncated();
            }
            long distance = bytes(at, length);
            at += length;
            long next = key + distance + 1;
            carries |= carry(key, distance, next);
            key = next;
            target[first + i] = next << shift;
        }
        if (at != end) {
            throw at > end
                    ? truncated()
                    : new CodecException(
                            Reason.BAD_LENGTH, end - at + " bytes behind " + count + " keys");
        }
        if (carries < 0 || (shift > 0 && key >>> (Long.SIZE - shift) != 0)) {
            throw new CodecException(
                    Reason.BAD_KEYS, "keys leave their space of " + (Long.SIZE - shift) + " bits");
        }
    }

    /** Decodes whole groups while they begin before the end: the number of distances done. */
    private int twoLengths(long[] target, int from) {
        int shorter = lengths & 15;
        int difference = (lengths >>> 4 & 15) - shorter;
        long shorterMask = DeltaKeys.MASKS[shorter];
        long otherBits = shorterMask ^ DeltaKeys.MASKS[lengths >>> 4 & 15];
        int codePlace = codesAt;
        int place = at;
        int done = 0;
        long last = key;
        long wrapped = 0;
        for (; done + DeltaKeys.GROUP < count && place <= end; done += DeltaKeys.GROUP) {
            int codes = source[codePlace++];
            for (int i = 0; i < DeltaKeys.GROUP; i++) {
                int code = -(codes >>> i & 1);
                long distance =
                        (long) DeltaEncoder.LONG.get(source, place)
                                & (shorterMask ^ (otherBits & code));
                place += shorter + (difference & code);
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

    /** Decodes keys of four lengths; see {@link #twoLengths}. */
    private int fourLengths(long[] target, int from) {
        int codePlace = codesAt;
        int place = at;
        int done = 0;
        long last = key;
        long wrapped = 0;
        for (; done + DeltaKeys.GROUP / 2 < count && place <= end; done += DeltaKeys.GROUP / 2) {
            int codes = source[codePlace++];
            for (int i = 0; i < DeltaKeys.GROUP / 2; i++) {
                int length = lengths >>> ((codes & 3) << 2) & 15;
                codes >>= 2;
                long distance =
                        (long) DeltaEncoder.LONG.get(source, place) & DeltaKeys.MASKS[length];
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
     * Returns a number whose sign is set where {@code sum = a + b + 1} as unsigned numbers is more
     * than 64 bits hold.
     */
    private static long carry(long a, long b, long sum) {
        return (a & b) | ((a | b) & ~sum);
    }

    private static CodecException truncated() {
        return new CodecException(Reason.TRUNCATED, "encoded keys end early");
    }
}
