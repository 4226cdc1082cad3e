package io.github.flinkps.server.update;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The learning rate of a step: {@code learning-rate}, or what a schedule makes of it. The schedule
 * reads the number {@code t} of the model's rounds before this one ({@link StepContext#round}).
 * With {@code warmup-steps} m the rate rises in a straight line, {@code rate (t + 1) / m}, until
 * {@code t = m}; of the rounds {@code u = max(0, t - m)} after that it is
 *
 * <ul>
 *   <li>{@code rate sqrt(k / (k + u))} with {@code inverse-sqrt-steps} k;
 *   <li>{@code rate f^floor(u / k)} with {@code step-every} k and {@code step-factor} f;
 *   <li>{@code rate (s + (1 - s) (1 + cos(pi min(1, u / k))) / 2)} with {@code cosine-steps} k and
 *       {@code final-rate-share} s (Loshchilov and Hutter: SGDR, ICLR 2017, without restarts).
 * </ul>
 *
 * <p>Belongs to one update function, and so to one owner thread.
 */
final class LearningRate {
    private static final List<String> DECAYS =
            List.of("inverse-sqrt-steps", "step-every", "cosine-steps");

    /** The options of schedules and their defaults: none. */
    static final Map<String, Double> DEFAULTS =
            new TreeMap<>(
                    Map.of(
                            "warmup-steps", 0.0,
                            "inverse-sqrt-steps", 0.0,
                            "step-every", 0.0,
                            "step-factor", 0.1,
                            "cosine-steps", 0.0,
                            "final-rate-share", 0.0));

    private final double rate;
    private final double warmUp;
    private final double inverseSqrt;
    private final double stepEvery;
    private final double stepFactor;
    private final double cosine;
    private final double finalShare;
    private long lastRound = -1;
    private double lastRate;

    LearningRate(OptionReader options) {
        rate = options.learningRate();
        warmUp = options.count("warmup-steps");
        inverseSqrt = options.count("inverse-sqrt-steps");
        stepEvery = options.count("step-every");
        stepFactor = options.positive("step-factor");
        options.check(stepFactor <= 1, "step-factor", "above 0, at most 1", stepFactor);
        cosine = options.count("cosine-steps");
        finalShare = options.belowOne("final-rate-share");
        if (DECAYS.stream().filter(decay -> options.count(decay) > 0).count() > 1) {
            throw options.refusal(
                    String.join(", ", DECAYS) + " exclude each other: give one of them");
        }
        needs(options, "step-factor", "step-every");
        needs(options, "final-rate-share", "cosine-steps");
    }

    private static void needs(OptionReader options, String option, String schedule) {
        if (options.given(option) && options.count(schedule) == 0) {
            throw options.refusal(option + " goes with " + schedule + " only");
        }
    }

    /** Returns whether every step has the same rate. */
    boolean isConstant() {
        return warmUp + inverseSqrt + stepEvery + cosine == 0;
    }

    /** Returns the rate before any schedule. */
    double base() {
        return rate;
    }

    /** Returns the rate of a step. */
    double at(StepContext step) {
        if (isConstant()) {
            return rate;
        }
        if (step.round() != lastRound) {
            lastRound = step.round();
            lastRate = rate * share(Math.max(0, lastRound - 1));
        }
        return lastRate;
    }

    private double share(long rounds) {
        double before = (double) rounds;
        double after = Math.max(0, before - warmUp);
        double share = before < warmUp ? (before + 1) / warmUp : 1;
        if (inverseSqrt > 0) {
            share *= StrictMath.sqrt(inverseSqrt / (inverseSqrt + after));
        } else if (stepEvery > 0) {
            share *= StrictMath.pow(stepFactor, Math.floor(after / stepEvery));
        } else if (cosine > 0) {
            double angle = StrictMath.PI * Math.min(1, after / cosine);
            share *= finalShare + (1 - finalShare) * (1 + StrictMath.cos(angle)) / 2;
        }
        return share;
    }
}
