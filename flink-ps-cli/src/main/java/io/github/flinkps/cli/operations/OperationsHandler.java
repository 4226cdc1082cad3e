package io.github.flinkps.cli.operations;

import io.github.flinkps.server.ServerReport;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the one request of a connection, and closes it. Confined to its event loop. */
final class OperationsHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(OperationsHandler.class);
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpClients clients;
    private final Answers answers;

    /**
     * @param clients null: whoever asks is told
     */
    OperationsHandler(HttpClients clients, Answers answers) {
        this.clients = clients;
        this.answers = answers;
    }

    /** Asks the server, once for all that ask at a time. Confined to the event loop. */
    static final class Answers {
        private final OperationsServer.Sources sources;
        private final OperationsServer.Patience patience;
        private final Executor loop;
        private CompletableFuture<ServerReport> underWay;

        Answers(
                OperationsServer.Sources sources,
                OperationsServer.Patience patience,
                Executor loop) {
            this.sources = sources;
            this.patience = patience;
            this.loop = loop;
        }

        /** Hands on the report, or what is wrong, on the event loop. */
        private void ask(Duration limit, BiConsumer<ServerReport, Throwable> answer) {
            if (underWay == null || underWay.isDone()) {
                underWay = sources.report().get();
            }
            underWay.copy()
                    .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                    .whenCompleteAsync(answer, loop);
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        HttpMethod method = request.method();
        if (!request.decoderResult().isSuccess()) {
            send(ctx, HttpResponseStatus.BAD_REQUEST, "not a request\n");
        } else if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            send(ctx, HttpResponseStatus.METHOD_NOT_ALLOWED, "GET it\n");
        } else if (clients != null && !clients.knows(ctx.channel(), request)) {
            FullHttpResponse response =
                    response(
                            HttpResponseStatus.UNAUTHORIZED,
                            TEXT,
                            bytes("show a token of token-file, or a certificate\n"));
            response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
            send(ctx, response);
        } else {
            answer(ctx, request.uri().split("\\?", 2)[0]);
        }
    }

    private void answer(ChannelHandlerContext ctx, String path) {
        switch (path) {
            case "/healthz" -> tellWhether(ctx, answers.patience.ofLife());
            case "/readyz" -> tellWhether(ctx, answers.patience.ofReadiness());
            case "/metrics" ->
                    answers.ask(
                            answers.patience.ofReadiness(),
                            (report, failure) ->
                                    send(
                                            ctx,
                                            response(
                                                    HttpResponseStatus.OK,
                                                    ServerMetrics.CONTENT_TYPE,
                                                    answers.sources.metrics().apply(report))));
            default ->
                    send(
                            ctx,
                            HttpResponseStatus.NOT_FOUND,
                            "there are /healthz, /readyz and /metrics\n");
        }
    }

    /** Tells whether all threads of the server answer in time. */
    private void tellWhether(ChannelHandlerContext ctx, Duration limit) {
        answers.ask(
                limit,
                (report, failure) -> {
                    if (failure == null) {
                        send(ctx, HttpResponseStatus.OK, "ok\n");
                    } else {
                        LOG.debug("Not every thread has answered", failure);
                        send(
                                ctx,
                                HttpResponseStatus.SERVICE_UNAVAILABLE,
                                "not every thread has answered within "
                                        + limit.toMillis()
                                        + " ms\n");
                    }
                });
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static FullHttpResponse response(HttpResponseStatus status, String type, byte[] body) {
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, type)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        return response;
    }

    private static void send(ChannelHandlerContext ctx, HttpResponseStatus status, String text) {
        send(ctx, response(status, TEXT, bytes(text)));
    }

    private static void send(ChannelHandlerContext ctx, FullHttpResponse response) {
        ctx.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        LOG.debug("{} is given up", ctx.channel().remoteAddress(), cause);
        ctx.close();
    }
}
