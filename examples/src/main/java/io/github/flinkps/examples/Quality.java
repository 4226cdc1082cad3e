package io.github.flinkps.examples;

/**
 * The quality of predictions.
 *
 * @param requests their number
 * @param predictedClicks the sum of the probabilities
 * @param clicks what it should be
 * @param logloss the mean; of the best there can be here about a half
 */
public record Quality(long requests, double predictedClicks, long clicks, double logloss) {
    static Quality of(Judged one) {
        double loss = -Math.log(one.clicked() ? one.predicted() : 1 - one.predicted());
        return new Quality(1, one.predicted(), one.clicked() ? 1 : 0, loss);
    }

    Quality plus(Quality more) {
        long sum = requests + more.requests;
        return new Quality(
                sum,
                predictedClicks + more.predictedClicks,
                clicks + more.clicks,
                (requests * logloss + more.requests * more.logloss) / sum);
    }
}
