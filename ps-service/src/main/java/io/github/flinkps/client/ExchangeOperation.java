package io.github.flinkps.client;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.protocol.ExchangeHeader;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An exchange while it is put together, and while its requests are under way. */
final class ExchangeOperation implements Exchange {
    private final ClientSession session;
    private final int requestBytes;
    private final long timestamp;
    private final List<Rows> pushes = new ArrayList<>();
    private final List<Rows> pulls = new ArrayList<>();
    private final CompletableFuture<Void> result = new CompletableFuture<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicLong lowestClock = new AtomicLong(Long.MAX_VALUE);
    private List<ExchangeMessage> messages = List.of();
    private boolean begun;
    private boolean ended;
    private int flags;
    private long clock;
    private double clockWeight = -1;
    private long clockAt = -1;
    private long cut;
    private long complete;
    private int ahead;
    private long[] after = {};
    private Duration timeout;

    /** A push or pull as the caller asked for it, with its cut. */
    private record Rows(HashedKeyList list, List<RowPart> parts, float[] array, double weight) {}

    ExchangeOperation(ClientSession session, int requestBytes, long timestamp, Duration timeout) {
        this.session = session;
        this.requestBytes = requestBytes;
        this.timestamp = timestamp;
        this.timeout = timeout;
    }

    @Override
    public Exchange push(KeyList keys, float[] gradients, double weight) {
        HashedKeyList list = (HashedKeyList) keys;
        int floats = Math.multiplyExact(list.size(), list.route().spec().width());
        check(list.table(), gradients, floats);
        checkFinite(list.table(), gradients, floats);
        checkWeight("a push to table '" + list.table() + "'", weight);
        pushes.add(new Rows(list, list.parts(), gradients, weight));
        return this;
    }

    @Override
    public Exchange pushRange(
            String table, long fromKey, long toKey, float[] gradients, double weight) {
        TableRoute route = range(table, fromKey, toKey, gradients);
        checkFinite(table, gradients, (int) (toKey - fromKey) * route.spec().width());
        checkWeight("a push to table '" + table + "'", weight);
        pushes.add(
                new Rows(
                        null,
                        RowParts.ofRange(route, requestBytes, fromKey, toKey, true),
                        gradients,
                        weight));
        return this;
    }

    @Override
    public Exchange pull(KeyList keys, float[] into) {
        HashedKeyList list = (HashedKeyList) keys;
        check(list.table(), into, Math.multiplyExact(list.size(), list.route().spec().width()));
        pulls.add(new Rows(list, list.parts(), into, 0));
        return this;
    }

    @Override
    public Exchange pullRange(String table, long fromKey, long toKey, float[] into) {
        TableRoute route = range(table, fromKey, toKey, into);
        pulls.add(
                new Rows(
                        null,
                        RowParts.ofRange(route, requestBytes, fromKey, toKey, false),
                        into,
                        0));
        return this;
    }

    private TableRoute range(String table, long fromKey, long toKey, float[] array) {
        TableRoute route = session.route(table);
        TableSpec spec = route.spec();
        if (spec.isSparse() || fromKey < 0 || toKey < fromKey || toKey > spec.size()) {
            throw new PsException(
                    ErrorCode.KEY_OUT_OF_RANGE,
                    "no range "
                            + fromKey
                            + " to "
                            + toKey
                            + " in "
                            + (spec.isSparse() ? "sparse table '" : "table '")
                            + table
                            + "' of size "
                            + spec.size());
        }
        check(table, array, Math.toIntExact(Math.multiplyExact(toKey - fromKey, spec.width())));
        return route;
    }

    private static void check(String table, float[] array, int floats) {
        if (array.length < floats) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "table '"
                            + table
                            + "': an array of "
                            + array.length
                            + " for "
                            + floats
                            + " values");
        }
    }

    private static void checkFinite(String table, float[] values, int count) {
        if (!finiteSum(values, count) && !allFinite(values, count)) {
            throw new PsException(
                    ErrorCode.NOT_FINITE,
                    "a gradient for table '" + table + "' is NaN or infinite");
        }
    }

    /**
     * Returns whether the sum is finite, which that of values with a NaN or an infinity among them
     * never is; eight sums, so that none waits for the one before.
     */
    private static boolean finiteSum(float[] v, int count) {
        float a = 0;
        float b = 0;
        float c = 0;
        float d = 0;
        float e = 0;
        float f = 0;
        float g = 0;
        float h = 0;
        int i = 0;
        for (; i < count - 7; i += 8) {
            a += v[i];
            b += v[i + 1];
            c += v[i + 2];
            d += v[i + 3];
            e += v[i + 4];
            f += v[i + 5];
            g += v[i + 6];
            h += v[i + 7];
        }
        for (; i < count; i++) {
            a += v[i];
        }
        return Float.isFinite(a + b + c + d + e + f + g + h);
    }

    /** Returns whether finite values, whose sum is not finite, are all finite. */
    private static boolean allFinite(float[] values, int count) {
        for (int i = 0; i < count; i++) {
            if (!Float.isFinite(values[i])) {
                return false;
            }
        }
        return true;
    }

    private static void checkWeight(String what, double weight) {
        if (!(weight >= 0) || weight == Double.POSITIVE_INFINITY) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT, "the weight of " + what + " is " + weight);
        }
    }

    @Override
    public Exchange clock() {
        return flag(ExchangeHeader.CLOCK);
    }

    @Override
    public Exchange clock(double weight) {
        checkWeight("a mini-batch", weight);
        clockWeight = weight;
        return clock();
    }

    Exchange flag(int flag) {
        session.checkWorker();
        flags |= flag;
        return this;
    }

    @Override
    public Exchange ahead(int batches) {
        this.ahead = batches;
        return this;
    }

    @Override
    public Exchange after(long... timestamps) {
        this.after = timestamps.clone();
        return this;
    }

    @Override
    public Exchange timeout(Duration newTimeout) {
        this.timeout = newTimeout;
        return this;
    }

    @Override
    public long timestamp() {
        return timestamp;
    }

    @Override
    public CompletableFuture<Void> send() {
        return session.submit(this);
    }

    // What follows is for the session.

    long[] dependencies() {
        return after;
    }

    /** Returns the failure of an operation whose time is over before its dependencies are done. */
    PsException stillWaiting() {
        return new PsException(
                ErrorCode.TIMEOUT,
                "operation " + timestamp + " still waits for one of " + Arrays.toString(after));
    }

    /** Returns whether it stands in the session's log. */
    boolean hasEntry() {
        return flags != 0 || !pushes.isEmpty();
    }

    int flags() {
        return flags;
    }

    /** Makes it a marker. */
    void mark(long newCut, long completeCut) {
        flag(ExchangeHeader.MARKER);
        cut = newCut;
        complete = completeCut;
    }

    /** Sets the clock at which the worker joins again. */
    void clockAt(long clock) {
        clockAt = clock;
    }

    /**
     * Returns the clock at which the worker joins again; negative unless it joins at a given one.
     */
    long clockAt() {
        return clockAt;
    }

    int aheadBy() {
        return ahead;
    }

    CompletableFuture<Void> result() {
        return result;
    }

    Duration timeout() {
        return timeout;
    }

    /** Says the worker's clock, this operation included. */
    void sentAt(long workerClock) {
        clock = workerClock;
    }

    /** Returns how far the worker's clock is above the lowest of the owners' answers. */
    long lead() {
        return Math.max(0, clock - lowestClock());
    }

    /**
     * Returns the lowest finite clock of the owners' answers; {@link Long#MAX_VALUE} if there is
     * none.
     */
    long lowestClock() {
        return lowestClock.get();
    }

    /**
     * Returns the requests of this operation, per link in the order in which they must be sent; the
     * clock goes with the last of a link's pushes, to every link.
     */
    List<ExchangeMessage> messages(int links) {
        List<ExchangeMessage> all = new ArrayList<>();
        ExchangeMessage[] open = new ExchangeMessage[links];
        long[] bytes = new long[links];
        for (Rows push : pushes) {
            for (int i = 0; i < push.parts().size(); i++) {
                RowPart part = push.parts().get(i);
                ExchangeMessage message = room(all, open, bytes, part);
                message.addPush(section(push, i, session.sequences(part)));
            }
        }
        if (flags != 0) {
            double weight = batchWeight();
            for (int link = 0; link < links; link++) {
                ExchangeMessage message = open(all, open, link);
                message.flag(flags, weight);
                if (cut != 0) {
                    message.mark(cut, complete);
                }
            }
        }
        Arrays.fill(bytes, 0);
        for (Rows pull : pulls) {
            for (int i = 0; i < pull.parts().size(); i++) {
                ExchangeMessage message = room(all, open, bytes, pull.parts().get(i));
                message.addPull(section(pull, i, new long[0]));
            }
        }
        unanswered.set(all.size());
        messages = all;
        return all;
    }

    private double batchWeight() {
        if (clockWeight >= 0) {
            return clockWeight;
        }
        double most = 0;
        for (Rows push : pushes) {
            most = Math.max(most, push.weight());
        }
        return most;
    }

    private static ExchangeMessage.Section section(Rows rows, int index, long[] sequences) {
        boolean cached = rows.list() != null && rows.list().markSent(index);
        return new ExchangeMessage.Section(
                rows.parts().get(index), cached, rows.array(), rows.weight(), sequences);
    }

    private ExchangeMessage room(
            List<ExchangeMessage> all, ExchangeMessage[] open, long[] bytes, RowPart part) {
        int link = part.link();
        if (bytes[link] > 0 && bytes[link] + part.valueBytes() > requestBytes) {
            open[link] = null;
            bytes[link] = 0;
        }
        bytes[link] += part.valueBytes();
        return open(all, open, link);
    }

    private static ExchangeMessage open(
            List<ExchangeMessage> all, ExchangeMessage[] open, int link) {
        if (open[link] == null) {
            open[link] = new ExchangeMessage(link);
            all.add(open[link]);
        }
        return open[link];
    }

    /** Returns the request that carries a numbered message. */
    PendingRequest request(ExchangeMessage message, long deadlineNanos) {
        return new PendingRequest(
                deadlineNanos, session.window(message.link()), message.windowBytes()) {
            @Override
            ByteBuf encode(boolean spellKeys) {
                return message.encode(spellKeys);
            }

            @Override
            void onAnswer(ByteBuf response) {
                message.end();
                if (!readAnswer(message, response)) {
                    return;
                }
                if (unanswered.decrementAndGet() == 0) {
                    session.finished(ExchangeOperation.this, null);
                }
            }

            @Override
            void onFailure(PsException error) {
                message.end();
                session.failed(ExchangeOperation.this, message, error);
            }

            @Override
            void onRetry(PsException error) {
                if (error.code() == ErrorCode.CUT_PENDING) {
                    session.cutPending();
                }
            }
        };
    }

    /**
     * Returns whether the answer has come in time: after the operation's end the arrays are the
     * caller's.
     */
    private synchronized boolean readAnswer(ExchangeMessage message, ByteBuf response) {
        if (ended) {
            return false;
        }
        lowestClock.accumulateAndGet(message.read(response), Math::min);
        return true;
    }

    /** Gives the arrays back to the caller; what is still to be sent has copies. */
    void end() {
        synchronized (this) {
            ended = true;
        }
        if (unanswered.get() > 0) {
            IdentityHashMap<float[], float[]> copies = new IdentityHashMap<>();
            for (ExchangeMessage message : messages) {
                try {
                    message.readFrom(array -> copies.computeIfAbsent(array, float[]::clone));
                } catch (OutOfMemoryError e) {
                    message.end(); // the server will miss it, which its deadline says
                }
            }
        }
    }

    /** Returns whether this is the first call. */
    boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }
}
