package io.github.flinkps.server.update;

import java.util.List;

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
public final class LearningRate {
    private static final String WARM_UP = "warmup-steps";
    private static final List<String> DECAYS =
            List.of("inverse-sqrt-steps", "step-every", "cosine-steps");

    private static final NumberRange COUNT = NumberRange.atLeast(0).whole();

    private static final List<UpdateOption> OPTIONS =
            List.of(
                    new UpdateOption(
                            WARM_UP,
                            0,
                            COUNT,
                            "steps for which the learning rate rises in a straight line"),
                    new UpdateOption(
                            "inverse-sqrt-steps",
                            0,
                            COUNT,
                            "steps until the learning rate, falling with the root of the steps, is"
                                    + " divided by the root of 2; 0: no such schedule"),
                    new UpdateOption(
                            "step-every",
                            0,
                            COUNT,
                            "steps after which the learning rate is multiplied by step-factor,"
                                    + " again and again; 0: no such schedule"),
                    new UpdateOption(
                            "step-factor",
                            .1,
                            NumberRange.above(0).atMost(1),
                            "factor of the learning rate, with step-every"),
                    new UpdateOption(
                            "cosine-steps",
                            0,
                            COUNT,
                            "steps in which the learning rate falls like half a cosine; 0: no such"
                                    + " schedule"),
                    new UpdateOption(
                            "final-rate-share",
                            0,
                            NumberRange.atLeast(0).below(1),
                            "share of the learning rate that is left then, with cosine-steps"));

    private final double rate;
    private final double warmUp;
    private final double inverseSqrt;
    private final double stepEvery;
    private final double stepFactor;
    private final double cosine;
    private final double finalShare;
    private long lastRound = -1;
    private double lastRate;

    /**
     * Reads the rate and its schedule, if the function takes one.
     *
     * @throws IllegalArgumentException naming options of schedules that do not go together
     */
    LearningRate(UpdateOptions options) {
        rate = options.value(UpdateOption.LEARNING_RATE);
        warmUp = options.value(WARM_UP);
        inverseSqrt = options.value("inverse-sqrt-steps");
        stepEvery = options.value("step-every");
        stepFactor = options.value("step-factor");
        cosine = options.value("cosine-steps");
        finalShare = options.value("final-rate-share");
        if (DECAYS.stream().filter(decay -> options.value(decay) > 0).count() > 1) {
            throw options.refusal(
                    String.join(", ", DECAYS) + " exclude each other: give one of them");
        }
        needs(options, "step-factor", "step-every");
        needs(options, "final-rate-share", "cosine-steps");
    }

    private static void needs(UpdateOptions options, String option, String schedule) {
        if (options.given(option) && options.value(schedule) == 0) {
            throw options.refusal(option + " goes with " + schedule + " only");
        }
    }

    /** Returns the options of schedules, which by default are off. */
    public static List<UpdateOption> options() {
        return OPTIONS;
    }

    /** Returns whether an option says how the rate changes by the steps. */
    public static boolean isSchedule(String option) {
        return OPTIONS.stream().anyMatch(one -> one.name().equals(option));
    }

    /** Returns whether an option says how the rate falls; all but that of the warm-up do. */
    public static boolean isDecay(String option) {
        return !option.equals(WARM_UP) && isSchedule(option);
    }

    /** Returns whether every step has the same rate. */
    public boolean isConstant() {
        return warmUp + inverseSqrt + stepEvery + cosine == 0;
    }

    /** Returns the rate before any schedule. */
    public double base() {
        return rate;
    }

    /** Returns the rate of a step. */
    public double at(StepContext step) {
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
