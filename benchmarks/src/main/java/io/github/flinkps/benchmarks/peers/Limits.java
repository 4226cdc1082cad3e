package io.github.flinkps.benchmarks.peers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Measures what no program on this machine goes beyond. Prints a number on each line: bytes/s of
 * one stream over loopback, nanoseconds of the median ping-pong of 64 bytes, bytes/s of copies from
 * and to memory, and reads/s of lines of the cache at random.
 */
public final class Limits {
    private static final int STREAM_BUFFER = 1 << 20;
    private static final int PING_BYTES = 64;
    private static final int PINGS = 20_000;
    private static final long MEASURED_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int LONGS_OF_LINE = 8;
    private static final int READS = 1 << 22;

    /** Larger than caches: 1 GiB. */
    private static final int LONGS = 1 << 27;

    private Limits() {}

    /** Measures all. */
    public static void main(String[] arguments) throws Exception {
        System.out.println(stream());
        System.out.println(pingPong());
        long[] memory = new long[LONGS];
        Arrays.fill(memory, 1);
        System.out.println(copies(memory));
        System.out.println(reads(memory));
    }

    /** Serves one connection. */
    private interface Peer {
        void serve(SocketChannel channel) throws IOException;
    }

    private interface Measured {
        double by(SocketChannel channel) throws IOException;
    }

    private static double connected(Peer peer, Measured measured)
            throws IOException, InterruptedException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(loopback, 0));
            Thread thread =
                    new Thread(
                            () -> {
                                try (SocketChannel channel = server.accept()) {
                                    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                                    peer.serve(channel);
                                } catch (IOException e) {
                                    System.err.println(e);
                                }
                            });
            thread.start();
            double result;
            try (SocketChannel channel = SocketChannel.open(server.getLocalAddress())) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                result = measured.by(channel);
            }
            thread.join();
            return result;
        }
    }

    private static double stream() throws IOException, InterruptedException {
        return connected(
                channel -> {
                    ByteBuffer in = ByteBuffer.allocateDirect(STREAM_BUFFER);
                    while (channel.read(in) >= 0) {
                        in.clear();
                    }
                },
                channel -> {
                    ByteBuffer out = ByteBuffer.allocateDirect(STREAM_BUFFER);
                    long start = System.nanoTime();
                    long bytes = 0;
                    long nanos;
                    do {
                        bytes += channel.write(out.clear());
                        nanos = System.nanoTime() - start;
                    } while (nanos < MEASURED_NANOS);
                    return bytes * 1e9 / nanos;
                });
    }

    private static double pingPong() throws IOException, InterruptedException {
        return connected(
                channel -> {
                    ByteBuffer ping = ByteBuffer.allocateDirect(PING_BYTES);
                    while (fill(channel, ping)) {
                        channel.write(ping.flip());
                    }
                },
                channel -> {
                    ByteBuffer ping = ByteBuffer.allocateDirect(PING_BYTES);
                    long[] nanos = new long[PINGS];
                    for (int i = 0; i < PINGS; i++) {
                        long start = System.nanoTime();
                        channel.write(ping.clear());
                        fill(channel, ping);
                        nanos[i] = System.nanoTime() - start;
                    }
                    Arrays.sort(nanos);
                    return nanos[PINGS / 2];
                });
    }

    /** Reads until a buffer is full; returns false at the end. */
    private static boolean fill(SocketChannel channel, ByteBuffer buffer) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                return false;
            }
        }
        return true;
    }

    private static double copies(long[] memory) {
        int half = memory.length / 2;
        long start = System.nanoTime();
        long bytes = 0;
        long nanos;
        do {
            System.arraycopy(memory, 0, memory, half, half);
            bytes += 8L * half;
            nanos = System.nanoTime() - start;
        } while (nanos < MEASURED_NANOS);
        return bytes * 1e9 / nanos;
    }

    private static double reads(long[] memory) {
        long sum = 0;
        double best = 0;
        long at = 1;
        for (int run = 0; run < 5; run++) {
            long start = System.nanoTime();
            for (int i = 0; i < READS; i++) {
                // Of the generator the next place is known before the line has come.
                at ^= at << 13;
                at ^= at >>> 7;
                at ^= at << 17;
                sum += memory[(int) (at & LONGS - 1) & -LONGS_OF_LINE];
            }
            best = Math.max(best, READS * 1e9 / (System.nanoTime() - start));
        }
        return sum == 0 ? 0 : best;
    }
}
