package io.github.flinkps.simulation;

import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.KeyList;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/** An operation that remembers what is pushed with it. */
final class RecordedExchange implements Exchange {
    private final Exchange exchange;
    private final List<History.Push> pushes = new ArrayList<>();

    RecordedExchange(Exchange exchange) {
        this.exchange = exchange;
    }

    /** Returns the pushes so far as a mini-batch of this weight. */
    History.Batch batch(double weight) {
        return new History.Batch(List.copyOf(pushes), weight);
    }

    @Override
    public Exchange push(KeyList keys, float[] gradients, double weight) {
        long[] each = new long[keys.size()];
        for (int i = 0; i < each.length; i++) {
            each[i] = keys.key(i);
        }
        pushes.add(new History.Push(keys.table(), each, gradients.clone()));
        exchange.push(keys, gradients, weight);
        return this;
    }

    @Override
    public Exchange pushRange(
            String table, long fromKey, long toKey, float[] gradients, double weight) {
        long[] each = LongStream.range(fromKey, toKey).toArray();
        pushes.add(new History.Push(table, each, gradients.clone()));
        exchange.pushRange(table, fromKey, toKey, gradients, weight);
        return this;
    }

    @Override
    public Exchange clock() {
        exchange.clock();
        return this;
    }

    @Override
    public Exchange clock(double weight) {
        exchange.clock(weight);
        return this;
    }

    @Override
    public Exchange pull(KeyList keys, float[] into) {
        exchange.pull(keys, into);
        return this;
    }

    @Override
    public Exchange pullRange(String table, long fromKey, long toKey, float[] into) {
        exchange.pullRange(table, fromKey, toKey, into);
        return this;
    }

    @Override
    public Exchange ahead(int batches) {
        exchange.ahead(batches);
        return this;
    }

    @Override
    public Exchange after(long... timestamps) {
        exchange.after(timestamps);
        return this;
    }

    @Override
    public Exchange timeout(Duration timeout) {
        exchange.timeout(timeout);
        return this;
    }

    @Override
    public long timestamp() {
        return exchange.timestamp();
    }

    @Override
    public CompletableFuture<Void> send() {
        return exchange.send();
    }
}
