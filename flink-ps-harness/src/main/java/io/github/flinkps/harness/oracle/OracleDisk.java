package io.github.flinkps.harness.oracle;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A small disk that can be filled: a tmpfs in a mount namespace of its own, held by a process that
 * does nothing else, so that it is gone when that or this process is, however they end. Its place
 * is a link into that process. One thread.
 */
final class OracleDisk implements AutoCloseable {
    /** The size of the disk: far more than a run needs, and soon full. */
    private static final String SIZE = "16m";

    /** The ways to get a namespace: as root, else as root in a namespace of users of its own. */
    private static final List<String> NAMESPACES = List.of("-m", "-Urm");

    private static final String HOLD =
            "mount -t tmpfs -o size=%s,mode=0700 tmpfs \"$0\" && cd \"$0\" && echo held && exec cat"
                    .formatted(SIZE);

    private static final String FILLER = "filler";
    private static final long LIMIT_SECONDS = 10;

    private final Path place;
    private final Process holder;
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 16);

    private OracleDisk(Path place, Process holder) {
        this.place = place;
        this.holder = holder;
    }

    /**
     * Mounts one.
     *
     * @param place where it can be reached; nothing is there yet
     * @throws IOException saying why, if this machine does not let it
     */
    static OracleDisk mount(Path place) throws IOException {
        Path point = Files.createDirectories(place.resolveSibling(place.getFileName() + ".mount"));
        List<String> reasons = new ArrayList<>();
        for (String namespace : NAMESPACES) {
            Process holder =
                    new ProcessBuilder("unshare", namespace, "sh", "-c", HOLD, point.toString())
                            .redirectErrorStream(true)
                            .start();
            // Ends with what it has said, as it says one line and waits, or has failed.
            BufferedReader says = holder.inputReader(Charset.defaultCharset());
            String line = says.readLine();
            if ("held".equals(line)) {
                Files.createSymbolicLink(place, Path.of("/proc/" + holder.pid() + "/cwd"));
                return new OracleDisk(place, holder);
            }
            holder.destroyForcibly();
            reasons.add(line);
        }
        throw new IOException(String.join("; ", reasons));
    }

    /** Leaves no room on it. */
    void fill() throws IOException {
        try (FileChannel filler =
                FileChannel.open(
                        place.resolve(FILLER),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND)) {
            while (true) {
                zeros.clear();
                filler.write(zeros);
            }
        } catch (IOException full) {
            if (!OracleStorage.isFull(full)) {
                throw full;
            }
        }
    }

    /** Makes room. */
    void free() throws IOException {
        Files.deleteIfExists(place.resolve(FILLER));
    }

    /** Puts what is on it where it was, for people, and ends it. */
    void keep() throws IOException, InterruptedException {
        Path copy = place.resolveSibling(place.getFileName() + ".copy");
        Process process = new ProcessBuilder("cp", "-a", place + "/.", copy.toString()).start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        close();
        Files.delete(place);
        Files.move(copy, place);
    }

    /** Ends it and all on it; idempotent. */
    @Override
    public void close() throws InterruptedException {
        holder.destroyForcibly();
        holder.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
}
