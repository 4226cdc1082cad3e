package io.github.flinkps.examples.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Reads from Linux where a process listens by TCP. */
final class ListeningSockets {
    private static final String LISTENS = "0A";

    /** The columns of a table of sockets. */
    private static final int ADDRESS = 1;

    private static final int STATE = 3;
    private static final int INODE = 9;

    private ListeningSockets() {}

    /** Returns addresses of IPv4 with their ports, such as {@code 127.0.0.2:7070}. */
    static Set<String> of(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        Set<String> own = sockets(process.resolve("fd"));
        Set<String> addresses = new TreeSet<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            Path file = process.resolve(table);
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            for (String line : lines) {
                String[] columns = line.strip().split("\\s+");
                if (columns[STATE].equals(LISTENS) && own.contains(columns[INODE])) {
                    addresses.add(address(columns[ADDRESS]));
                }
            }
        }
        return addresses;
    }

    /** Returns the inodes of what a process has open, of its sockets among others. */
    private static Set<String> sockets(Path descriptors) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (Stream<Path> all = Files.list(descriptors)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                inodes.add(target(each).replaceAll("\\D", ""));
            }
        }
        return inodes;
    }

    /** Returns what a descriptor stands for, such as {@code socket:[4711]}; nothing once closed. */
    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException closed) {
            return "";
        }
    }

    /** Reads an address whose last eight digits are those of IPv4, the lowest byte first. */
    private static String address(String hex) {
        int colon = hex.indexOf(':');
        int ip =
                Integer.reverseBytes(Integer.parseUnsignedInt(hex.substring(colon - 8, colon), 16));
        return "%d.%d.%d.%d:%d"
                .formatted(
                        ip >>> 24,
                        ip >>> 16 & 0xff,
                        ip >>> 8 & 0xff,
                        ip & 0xff,
                        Integer.parseInt(hex.substring(colon + 1), 16));
    }
}
