package io.github.flinkps.harness.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The memory that tables and arrays may take.
 *
 * @param servers bytes for the tables of all servers
 * @param heap bytes for arrays here
 */
record MemoryBound(long servers, long heap) {
    /** Returns a bound of half of the memory that is free now, and at most half of the heap. */
    static MemoryBound now() {
        long heap = Runtime.getRuntime().maxMemory() / 2;
        return new MemoryBound(free() / 2, heap);
    }

    private static long free() {
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/meminfo"));
            for (String line : lines) {
                if (line.startsWith("MemAvailable:")) {
                    return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
                }
            }
        } catch (IOException e) {
            // Not Linux: the heap's limit, a share of the machine's memory, must do.
        }
        return Runtime.getRuntime().maxMemory();
    }

    /** Returns why a table and arrays do not fit, or null if they do. */
    String whyNot(long rows, int width, long arrayBytes) {
        long table = rows * (4L * width + 20);
        if (table > servers) {
            return "the table needs %.1f GiB of memory, %.1f may be used"
                    .formatted(gib(table), gib(servers));
        }
        if (arrayBytes > heap) {
            return "arrays need %.1f GiB of heap, %.1f may be used"
                    .formatted(gib(arrayBytes), gib(heap));
        }
        return null;
    }

    private static double gib(long bytes) {
        return bytes / (double) (1 << 30);
    }
}
