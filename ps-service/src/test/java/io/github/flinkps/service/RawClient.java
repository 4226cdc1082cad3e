package io.github.flinkps.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.protocol.OpenModelMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Speaks the protocol by hand, and may say what no client says. */
final class RawClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Socket socket;

    /** The socket beneath TLS; without it the same. */
    private final Socket plain;

    private RawClient(Socket socket, Socket plain) {
        this.socket = socket;
        this.plain = plain;
    }

    /** Connects to a server of this machine, and says nothing. */
    static RawClient connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(1 << 16);
        socket.setSoTimeout((int) TIMEOUT.toMillis());
        socket.connect(new InetSocketAddress("127.0.0.1", port), (int) TIMEOUT.toMillis());
        return new RawClient(socket, socket);
    }

    /** Connects by TLS to a server of this machine that an authority has signed. */
    static RawClient connect(int port, String authorityFile) throws IOException {
        try (InputStream pem = Files.newInputStream(Path.of(authorityFile))) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(null, trust.getTrustManagers(), null);
            return connect(port, context);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** Connects by TLS with the keys and the sessions of a context. */
    static RawClient connect(int port, SSLContext context) throws IOException {
        Socket plain = connect(port).socket;
        return new RawClient(
                context.getSocketFactory().createSocket(plain, "127.0.0.1", port, true), plain);
    }

    /** Connects to an owner thread, or to the control loop, of a server that asks nobody. */
    static RawClient hello(int port, int owner, long client) throws IOException {
        RawClient connected = connect(port);
        connected.hello(owner, client, new byte[0]);
        assertThat(ErrorFrame.of(connected.receive())).isNull();
        return connected;
    }

    /** Says hello; the answer is to be received. */
    void hello(int owner, long client, byte[] credential) throws IOException {
        HelloMessage.Request hello = HelloMessage.Request.of(owner, client, credential);
        send(1, hello.encode(UnpooledByteBufAllocator.DEFAULT));
    }

    /** Opens a plain session with a model over a control connection, and returns its number. */
    int open(String model) throws IOException {
        return open(model, 0, SessionSpec.NO_WORKER);
    }

    /** Opens a session with a model over a control connection, and returns its number. */
    int open(String model, long fence, int worker) throws IOException {
        OpenModelMessage.Request open =
                new OpenModelMessage.Request(
                        model, "run", fence, worker, 1, ConsistencySpec.asp(), 0, 1);
        send(2, open.encode(UnpooledByteBufAllocator.DEFAULT));
        return OpenModelMessage.Response.decode(receive()).session();
    }

    void send(long correlation, ByteBuf frame) throws IOException {
        FrameHeader.setCorrelation(frame, correlation);
        FrameHeader.setTimeoutMillis(frame, (int) TIMEOUT.toMillis());
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes).release();
        send(bytes);
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Sends bytes as a packet of their own. */
    void sendAlone(byte[] bytes) throws IOException {
        plain.setTcpNoDelay(true);
        sendBeneath(bytes);
    }

    /** Sends bytes as they are, beneath TLS. */
    void sendBeneath(byte[] bytes) throws IOException {
        plain.getOutputStream().write(bytes);
        plain.getOutputStream().flush();
    }

    /** Returns the next frame that the server sends. */
    ByteBuf receive() throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] head = new byte[4];
        in.readFully(head);
        int length = Unpooled.wrappedBuffer(head).readIntLE();
        byte[] bytes = Arrays.copyOf(head, length);
        in.readFully(bytes, 4, length - 4);
        return Unpooled.wrappedBuffer(bytes);
    }

    /**
     * Reads some bytes of what the server sends, at most so many.
     *
     * @return how many; 0 once it has hung up
     */
    int take(int most) throws IOException {
        try {
            return socket.getInputStream().readNBytes(most).length;
        } catch (SocketException reset) {
            return 0;
        }
    }

    /** Returns how many bytes come until the server hangs up. */
    long countRest() throws IOException {
        long count = 0;
        try {
            while (socket.getInputStream().read() >= 0) {
                count++;
            }
        } catch (SocketException reset) {
            return count;
        }
        return count;
    }

    /** Returns whether the server hangs up, and what it says before that does not count. */
    boolean isCutOff() {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            return true;
        } catch (SocketTimeoutException silent) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
