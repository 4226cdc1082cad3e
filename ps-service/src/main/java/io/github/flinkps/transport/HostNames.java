package io.github.flinkps.transport;

import io.github.flinkps.common.Endpoint;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks up hosts by name away from event loops: a name server may take seconds to answer. */
final class HostNames {
    /** Look-ups at a time: each name is looked up once at a time, and few are used. */
    private static final int THREADS = 64;

    /** The names as this machine knows them. */
    static final HostNames OF_SYSTEM = new HostNames(InetAddress::getByName);

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

    /** Asks for the address of a name. */
    interface Resolver {
        InetAddress find(String name) throws UnknownHostException;
    }

    private final Resolver resolver;
    private final Map<String, CompletableFuture<InetAddress>> underWay = new ConcurrentHashMap<>();

    HostNames(Resolver resolver) {
        this.resolver = resolver;
    }

    /** Returns where a server is; fails with {@link UnknownHostException}, or after the time. */
    CompletableFuture<InetSocketAddress> find(Endpoint server, long timeoutMillis) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(server.host());
        if (address != null) {
            try {
                return CompletableFuture.completedFuture(
                        new InetSocketAddress(InetAddress.getByAddress(address), server.port()));
            } catch (UnknownHostException e) {
                throw new IllegalStateException(e); // it has the length of an address
            }
        }
        return lookUp(server.host())
                .thenApply(found -> new InetSocketAddress(found, server.port()))
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

    /** Looks a name up, unless that is under way: a name server that is silent has one thread. */
    private CompletableFuture<InetAddress> lookUp(String host) {
        CompletableFuture<InetAddress> mine = new CompletableFuture<>();
        CompletableFuture<InetAddress> other = underWay.putIfAbsent(host, mine);
        if (other != null) {
            return other;
        }
        LOOK_UPS.execute(
                () -> {
                    try {
                        mine.complete(resolver.find(host));
                    } catch (UnknownHostException e) {
                        mine.completeExceptionally(
                                new CompletionException("its name is not known", e));
                    } finally {
                        underWay.remove(host);
                    }
                });
        return mine;
    }
}
