package io.github.flinkps.model;

/** A set of keys; up to 32 bytes each. */
public final class KeySet {
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private long[] places = new long[64];
    private int size;
    private boolean zero;

    /** Returns whether it was not there. */
    public boolean add(long key) {
        if (key == 0) {
            boolean added = !zero;
            zero = true;
            return added;
        }
        int place = place(key);
        if (places[place] == key) {
            return false;
        }
        places[place] = key;
        if (++size > places.length / 2) {
            grow();
        }
        return true;
    }

    public boolean contains(long key) {
        return key == 0 ? zero : places[place(key)] == key;
    }

    /** Returns the place where a key is or belongs. */
    private int place(long key) {
        int mask = places.length - 1;
        int place = (int) ((key * GOLDEN) >>> Long.numberOfLeadingZeros(mask));
        while (places[place] != 0 && places[place] != key) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private void grow() {
        long[] before = places;
        places = new long[Math.multiplyExact(before.length, 2)];
        for (long key : before) {
            if (key != 0) {
                places[place(key)] = key;
            }
        }
    }
}
