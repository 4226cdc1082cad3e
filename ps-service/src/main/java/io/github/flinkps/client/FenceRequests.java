package io.github.flinkps.client;

import io.github.flinkps.common.PlacementRing;
import io.github.flinkps.protocol.GrantFenceMessage;
import io.github.flinkps.transport.Loop;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The requests by which an attempt gets its fence, and others know it. It asks all servers for the
 * highest fence, and wants the next one of the server that decides for the model. Then it has this
 * fence taken by all others. Thread-safe.
 */
final class FenceRequests {
    private final ServerLink[] controls;
    private final TableRequests requests;
    private final Loop loop;

    FenceRequests(ServerLink[] controls, TableRequests requests, Loop loop) {
        this.controls = controls;
        this.requests = requests;
        this.loop = loop;
    }

    /** The attempt that asks for a fence, and its deadline. */
    private record GrantRequest(String model, String run, String attempt, long deadlineNanos) {}

    CompletableFuture<Long> grant(String model, String run, String attempt, Duration timeout) {
        GrantRequest request =
                new GrantRequest(model, run, attempt, loop.nanoTime() + timeout.toNanos());
        int decides = PlacementRing.of(controls.length).order(model).get(0);
        return all(request, 0)
                .thenCompose(known -> one(request, decides, next(known)))
                .thenCompose(
                        granted ->
                                all(request, granted.fence()).thenApply(taken -> granted.fence()));
    }

    /** Returns whether the highest fence of every server is that attempt's. */
    CompletableFuture<Boolean> has(String model, String attempt, Duration timeout) {
        GrantRequest request =
                new GrantRequest(model, "", attempt, loop.nanoTime() + timeout.toNanos());
        return all(request, 0)
                .thenApply(known -> known.stream().allMatch(GrantFenceMessage.Response::own));
    }

    /** Returns one more than the highest; the highest itself if it is this attempt's already. */
    private static long next(List<GrantFenceMessage.Response> known) {
        long highest = known.stream().mapToLong(GrantFenceMessage.Response::fence).max().orElse(0);
        boolean own =
                known.stream()
                        .filter(answer -> answer.fence() == highest)
                        .allMatch(GrantFenceMessage.Response::own);
        return own ? highest : highest + 1;
    }

    private CompletableFuture<List<GrantFenceMessage.Response>> all(
            GrantRequest request, long fence) {
        return requests.askAll(
                server -> frame(request, fence), left(request), GrantFenceMessage.Response::decode);
    }

    private CompletableFuture<GrantFenceMessage.Response> one(
            GrantRequest request, int server, long fence) {
        return requests.ask(
                controls[server],
                frame(request, fence),
                left(request),
                GrantFenceMessage.Response::decode);
    }

    private static ByteBuf frame(GrantRequest request, long fence) {
        return new GrantFenceMessage.Request(
                        request.model(), request.run(), request.attempt(), fence)
                .encode(ServerLink.allocator());
    }

    private Duration left(GrantRequest request) {
        return Duration.ofNanos(Math.max(1, request.deadlineNanos() - loop.nanoTime()));
    }
}
