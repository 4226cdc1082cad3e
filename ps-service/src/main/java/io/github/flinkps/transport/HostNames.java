package io.github.flinkps.transport;

import io.github.flinkps.common.Endpoint;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks up hosts by name away from event loops: a name server may take seconds to answer. */
final class HostNames {
    private static final int THREADS = 4;
    private static final ThreadPoolExecutor LOOK_UPS =
            new ThreadPoolExecutor(
                    THREADS,
                    THREADS,
                    10,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    new DefaultThreadFactory("flink-ps-names", true));

    static {
        LOOK_UPS.allowCoreThreadTimeOut(true);
    }

    private HostNames() {}

    /** Returns where a server is; fails with {@link UnknownHostException}, or after the time. */
    static CompletableFuture<InetSocketAddress> find(Endpoint server, long timeoutMillis) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(server.host());
        if (address != null) {
            try {
                return CompletableFuture.completedFuture(
                        new InetSocketAddress(InetAddress.getByAddress(address), server.port()));
            } catch (UnknownHostException e) {
                throw new IllegalStateException(e); // it has the length of an address
            }
        }
        return CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return new InetSocketAddress(
                                        InetAddress.getByName(server.host()), server.port());
                            } catch (UnknownHostException e) {
                                throw new CompletionException("its name is not known", e);
                            }
                        },
                        LOOK_UPS)
                .orTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
                .exceptionally(
                        e -> {
                            throw e instanceof TimeoutException
                                    ? new CompletionException(
                                            "its name was not found within "
                                                    + timeoutMillis
                                                    + " ms: no name server has answered",
                                            e)
                                    : new CompletionException(e.getMessage(), e);
                        });
    }
}
