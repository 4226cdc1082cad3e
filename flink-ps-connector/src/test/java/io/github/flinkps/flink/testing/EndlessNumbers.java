package io.github.flinkps.flink.testing;

import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;

/** Numbers from 0 on at a steady pace, without an end. */
public final class EndlessNumbers extends DataGeneratorSource<Long> {
    private static final long serialVersionUID = 1L;

    public EndlessNumbers(double perSecond) {
        super(
                number -> number,
                Long.MAX_VALUE,
                RateLimiterStrategy.perSecond(perSecond),
                Types.LONG);
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }
}
