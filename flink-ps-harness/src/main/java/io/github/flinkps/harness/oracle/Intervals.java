package io.github.flinkps.harness.oracle;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Numbers that a source has given out, as intervals in which they came. One thread. */
final class Intervals {
    /** First, and the one behind the last. */
    private final List<long[]> all = new ArrayList<>();

    /** Adds one, which usually comes behind the one added before. */
    void add(long number) {
        long[] last = all.isEmpty() ? null : all.get(all.size() - 1);
        if (last != null && last[1] == number) {
            last[1]++;
        } else {
            all.add(new long[] {number, number + 1});
        }
    }

    void addAll(Iterable<long[]> more) {
        more.forEach(each -> all.add(each.clone()));
    }

    List<long[]> list() {
        return all.stream().map(long[]::clone).toList();
    }

    /** Counts each number into {@code counts}. */
    void countInto(int[] counts) {
        for (long[] each : all) {
            for (long number = each[0]; number < each[1]; number++) {
                counts[(int) number]++;
            }
        }
    }

    byte[] write() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(all.size());
            for (long[] each : all) {
                out.writeLong(each[0]);
                out.writeLong(each[1]);
            }
        }
        return bytes.toByteArray();
    }

    static Intervals read(Path file) throws IOException {
        Intervals read = new Intervals();
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            for (int left = in.readInt(); left > 0; left--) {
                read.all.add(new long[] {in.readLong(), in.readLong()});
            }
        }
        return read;
    }

    @Override
    public String toString() {
        return all.stream().map(Arrays::toString).toList().toString();
    }
}
