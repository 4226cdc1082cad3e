package io.github.flinkps.model.cut;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identifies a cut of a model. Ordered by number, then by fence, within a run.
 *
 * @param run the job over all its attempts; part of a path, so letters, digits and {@code .-_} only
 * @param fence of the attempt that took it
 * @param number of the checkpoint it belongs to, 0 for the model at the job's start, {@link #FINAL}
 *     for the one after the end of training
 */
public record CutId(String run, long fence, long number) implements Comparable<CutId> {
    /** The number of the cut taken when all workers are done. */
    public static final long FINAL = Long.MAX_VALUE;

    private static final Comparator<CutId> ORDER =
            Comparator.comparing(CutId::run)
                    .thenComparingLong(CutId::number)
                    .thenComparingLong(CutId::fence);
    private static final Pattern RUN = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}");
    private static final Pattern DIRECTORY = Pattern.compile("(final|\\d{1,19})-(\\d{1,19})");
    private static final String FINAL_NAME = "final";

    public CutId {
        if (!isRun(run)) {
            throw new IllegalArgumentException(
                    "run '" + run + "' is not 1 to 128 letters, digits, '.', '-' and '_'");
        }
        if (fence < 0 || number < 0) {
            throw new IllegalArgumentException("cut " + number + " of fence " + fence);
        }
    }

    /** Returns whether a run can have that name. */
    static boolean isRun(String name) {
        return RUN.matcher(name).matches();
    }

    /** Returns the name of its directory, {@code NUMBER-FENCE}. */
    public String directoryName() {
        return (number == FINAL ? FINAL_NAME : Long.toString(number)) + "-" + fence;
    }

    /** Returns the cut of a run whose directory has that name, if cuts are named so. */
    public static Optional<CutId> ofDirectory(String run, String name) {
        Matcher matcher = DIRECTORY.matcher(name);
        if (!matcher.matches() || !isRun(run)) {
            return Optional.empty();
        }
        try {
            String number = matcher.group(1);
            long parsed = number.equals(FINAL_NAME) ? FINAL : Long.parseLong(number);
            CutId id = new CutId(run, Long.parseLong(matcher.group(2)), parsed);
            return id.directoryName().equals(name) ? Optional.of(id) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty(); // more than 63 bits
        }
    }

    @Override
    public int compareTo(CutId other) {
        return ORDER.compare(this, other);
    }

    /** Returns the name for messages: {@code cut 12 of run r (fence 3)}. */
    @Override
    public String toString() {
        String name = number == FINAL ? "the final cut" : "cut " + number;
        return name + " of run " + run + " (fence " + fence + ")";
    }
}
