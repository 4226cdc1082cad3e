package io.github.flinkps.codec;

/**
 * Chooses the lengths in which the distances of a list of keys are written: the two or four that
 * make it shortest.
 */
final class DeltaLengths {
    private static final int UNUSED = 15;

    private static final int TWO_LENGTHS = UNUSED << 8 | UNUSED << 12;

    private DeltaLengths() {}

    /**
     * @param upTo by length 0 to 8, how many distances fit into it
     * @param count of all distances
     * @return four nibbles, ascending, the lowest first; the upper two 15 where there are only two
     */
    static int choose(int[] upTo, int count) {
        int longest = 0;
        while (upTo[longest] < count) {
            longest++;
        }
        int best = pack(longest, longest, UNUSED, UNUSED);
        long bestBytes = bytes(upTo, count, best);
        for (int a = 0; a < longest; a++) {
            int two = pack(a, longest, UNUSED, UNUSED);
            long twoBytes = bytes(upTo, count, two);
            if (twoBytes < bestBytes) {
                best = two;
                bestBytes = twoBytes;
            }
            for (int b = a + 1; b < longest; b++) {
                for (int c = b; c < longest; c++) {
                    int four = pack(a, b, c, longest);
                    long fourBytes = bytes(upTo, count, four);
                    if (fourBytes < bestBytes) {
                        best = four;
                        bestBytes = fourBytes;
                    }
                }
            }
        }
        return best;
    }

    private static int pack(int a, int b, int c, int d) {
        return a | b << 4 | c << 8 | d << 12;
    }

    /** Returns the bits per code. */
    static int codeBits(int lengths) {
        return (lengths & TWO_LENGTHS) == TWO_LENGTHS ? 1 : 2;
    }

    static int codeBytes(int count, int lengths) {
        return (int) (((long) count * codeBits(lengths) + 7) / Byte.SIZE);
    }

    /** Returns whether 16 bits are lengths at all: none beyond 8, but for the mark of two. */
    static boolean valid(int lengths) {
        int used = codeBits(lengths) == 1 ? lengths & 0xFF : lengths;
        for (int rest = used; rest != 0; rest >>>= 4) {
            if ((rest & 15) > Long.BYTES) {
                return false;
            }
        }
        return true;
    }

    /** Returns the largest of valid lengths. */
    static int longest(int lengths) {
        int longest = 0;
        int used = codeBits(lengths) == 1 ? lengths & 0xFF : lengths;
        for (int rest = used; rest != 0; rest >>>= 4) {
            longest = Math.max(longest, rest & 15);
        }
        return longest;
    }

    /** Returns the bytes of codes and distances. */
    static long bytes(int[] upTo, int count, int lengths) {
        int a = lengths & 15;
        int b = lengths >>> 4 & 15;
        int c = lengths >>> 8 & 15;
        int d = lengths >>> 12;
        if (codeBits(lengths) == 1) {
            return codeBytes(count, lengths) + (long) upTo[a] * a + (long) (count - upTo[a]) * b;
        }
        return codeBytes(count, lengths)
                + (long) upTo[a] * a
                + (long) (upTo[b] - upTo[a]) * b
                + (long) (upTo[c] - upTo[b]) * c
                + (long) (count - upTo[c]) * d;
    }
}
