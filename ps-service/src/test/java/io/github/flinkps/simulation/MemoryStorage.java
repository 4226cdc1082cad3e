package io.github.flinkps.simulation;

import io.github.flinkps.model.ModelStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Files in memory; directories are there when something is in them. What takes time elsewhere keeps
 * the loop that asks busy for a while, and writing may fail.
 */
final class MemoryStorage implements ModelStorage {
    private final TreeMap<String, byte[]> files = new TreeMap<>();
    private VirtualTime time;
    private LongSupplier nanos;
    private BooleanSupplier full = () -> false;

    /** Each file takes a loop so many nanoseconds from now on. */
    void slow(VirtualTime by, LongSupplier nanosPerFile) {
        time = by;
        nanos = nanosPerFile;
    }

    /** Sets what is asked from now on whether a file cannot be made. */
    void failIf(BooleanSupplier isFull) {
        full = isFull;
    }

    private void takeTime() {
        if (time != null) {
            time.busy(nanos.getAsLong());
        }
    }

    @Override
    public Output create(String file) throws IOException {
        takeTime();
        if (full.getAsBoolean()) {
            throw new IOException("the disk is full");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        files.put(file, new byte[0]);
        return new Output() {
            @Override
            public void write(ByteBuffer more) {
                byte[] array = new byte[more.remaining()];
                more.get(array);
                bytes.writeBytes(array);
            }

            @Override
            public void sync() {
                close();
            }

            @Override
            public void close() {
                files.computeIfPresent(file, (name, before) -> bytes.toByteArray());
            }
        };
    }

    @Override
    public ReadableByteChannel open(String file) throws IOException {
        takeTime();
        byte[] bytes = files.get(file);
        if (bytes == null) {
            throw new NoSuchFileException(file);
        }
        return Channels.newChannel(new java.io.ByteArrayInputStream(bytes));
    }

    @Override
    public boolean exists(String path) {
        return files.containsKey(path) || !list(path).isEmpty();
    }

    @Override
    public List<String> list(String directory) {
        String prefix = directory + "/";
        return files.tailMap(prefix).keySet().stream()
                .takeWhile(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length()).split("/")[0])
                .distinct()
                .collect(Collectors.toList());
    }

    @Override
    public long bytes(String path) {
        return files.entrySet().stream()
                .filter(file -> (file.getKey() + "/").startsWith(path + "/"))
                .mapToLong(file -> file.getValue().length)
                .sum();
    }

    @Override
    public void makeDirectories(String directory) {}

    @Override
    public void rename(String from, String to) throws IOException {
        if (!exists(from)) {
            throw new NoSuchFileException(from);
        }
        List<String> moved =
                files.keySet().stream()
                        .filter(name -> (name + "/").startsWith(from + "/"))
                        .toList();
        for (String name : moved) {
            files.put(to + name.substring(from.length()), files.remove(name));
        }
    }

    @Override
    public void syncDirectory(String directory) {}

    @Override
    public void delete(String path) {
        takeTime();
        files.remove(path);
        files.keySet().removeIf(name -> name.startsWith(path + "/"));
    }
}
