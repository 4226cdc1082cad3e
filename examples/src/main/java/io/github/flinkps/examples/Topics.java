package io.github.flinkps.examples;

import java.time.Duration;
import java.util.SplittableRandom;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Stands for topics of Kafka, so that the other programs run by themselves: advertisements that are
 * asked for, a hundred a second of their own time, and what became of each up to a minute later.
 * Shoes are clicked four times as often as the rest.
 */
public final class Topics {
    private static final String[] SITES = {"news", "sports", "weather"};
    private static final String[] ADS = {"shoes", "books", "travel", "bank"};

    /** An advertisement that may be shown. */
    public record Request(long id, long millis, String site, String ad, double price) {}

    /** The outcome of the request of that id: whether its advertisement was clicked. */
    public record Outcome(long id, long millis, boolean clicked) {}

    private Topics() {}

    static Request request(long id) {
        SplittableRandom random = new SplittableRandom(id);
        String site = SITES[random.nextInt(SITES.length)];
        String ad = ADS[random.nextInt(ADS.length)];
        return new Request(id, 10 * id, site, ad, random.nextDouble(1, 4));
    }

    static Outcome outcome(long id) {
        SplittableRandom random = new SplittableRandom(~id);
        double chance = request(id).ad().equals("shoes") ? 0.8 : 0.2;
        return new Outcome(id, 10 * id + random.nextLong(60_000), random.nextDouble() < chance);
    }

    /** Returns requests {@code 0..count-1}, in their order. */
    static DataStream<Request> requests(StreamExecutionEnvironment env, long count) {
        WatermarkStrategy<Request> times =
                WatermarkStrategy.<Request>forMonotonousTimestamps()
                        .withTimestampAssigner((request, before) -> request.millis());
        Endless<Request> source = new Endless<>(Topics::request, Request.class, 20_000, count);
        return env.fromSource(source, times, "requests").setParallelism(1);
    }

    /** Returns the outcomes; one may come a minute before that of an earlier request. */
    static DataStream<Outcome> outcomes(StreamExecutionEnvironment env, long count) {
        WatermarkStrategy<Outcome> times =
                WatermarkStrategy.<Outcome>forBoundedOutOfOrderness(Duration.ofMinutes(1))
                        .withTimestampAssigner((outcome, before) -> outcome.millis());
        Endless<Outcome> source = new Endless<>(Topics::outcome, Outcome.class, 20_000, count);
        return env.fromSource(source, times, "outcomes").setParallelism(1);
    }
}
