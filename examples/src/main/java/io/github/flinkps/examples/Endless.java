package io.github.flinkps.examples;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;

/** Records of the numbers from 0 on, in a second so many; unbounded, although it may end. */
final class Endless<T> extends DataGeneratorSource<T> {
    private static final long serialVersionUID = 1L;

    Endless(GeneratorFunction<Long, T> record, Class<T> type, double perSecond, long count) {
        super(record, count, RateLimiterStrategy.perSecond(perSecond), TypeInformation.of(type));
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }
}
