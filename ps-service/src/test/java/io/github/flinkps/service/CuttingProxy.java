package io.github.flinkps.service;

import io.github.flinkps.common.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Passes bytes between a client and a server, until told to cut or to swallow them. */
public final class CuttingProxy implements AutoCloseable {
    private static final int SMALL_BYTES = 1 << 16;

    private final ServerSocket listening;
    private final Endpoint server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean swallowing;
    private volatile boolean refusing;
    private volatile int bytesPerSecond = Integer.MAX_VALUE;
    private volatile long swallowed;
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile OutputStream copy = OutputStream.nullOutputStream();

    public CuttingProxy(String address) throws IOException {
        server = Endpoint.parse(address);
        listening = new ServerSocket();
        listening.setReceiveBufferSize(SMALL_BYTES); // what it takes, it has passed on soon
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        thread(this::accept);
    }

    public String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** Cuts every connection; new ones pass. */
    public void cut() {
        sockets.forEach(CuttingProxy::close);
        sockets.clear();
    }

    /** Accepts nothing any more, or again. */
    public void refuse(boolean now) {
        refusing = now;
    }

    /** Connections stay, but what either side sends vanishes; or passes again. */
    public void swallow(boolean now) {
        swallowing = now;
    }

    /** Passes no more than so many bytes a second, each way of a connection. */
    public void slow(int bytes) {
        bytesPerSecond = bytes;
    }

    /** Copies what passes, either way; to a stream that several threads may use. */
    public void copyTo(OutputStream to) {
        copy = to;
    }

    /** Returns how many connections clients have made. */
    public int accepted() {
        return accepted.get();
    }

    long swallowedBytes() {
        return swallowed;
    }

    private static void thread(Runnable body) {
        Thread thread = new Thread(body, "cutting-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket near = listening.accept();
                if (refusing) {
                    near.close();
                    continue;
                }
                Socket far = new Socket();
                far.setReceiveBufferSize(SMALL_BYTES);
                far.connect(new InetSocketAddress(server.host(), server.port()));
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                accepted.incrementAndGet();
                sockets.add(near);
                sockets.add(far);
                thread(() -> pass(near, far));
                thread(() -> pass(far, near));
            } catch (IOException e) {
                // The proxy closes, or the server is gone: the next client will see.
            }
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] bytes = new byte[1 << 14];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (swallowing) {
                    swallowed += read;
                } else {
                    copy.write(bytes, 0, read);
                    out.write(bytes, 0, read);
                    LockSupport.parkNanos(1_000_000_000L * read / bytesPerSecond);
                }
            }
        } catch (IOException e) {
            // Cut.
        }
        close(from);
        close(to);
    }

    private static void close(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // It is closed.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }
}
