package io.github.flinkps.cli;

import java.util.Collection;
import java.util.Locale;

/** Finds what somebody meant to type. */
final class Suggestions {
    private Suggestions() {}

    /** Returns the candidate nearest to {@code typed}, or null if none is near. */
    static String nearest(String typed, Collection<String> candidates) {
        String wanted = typed.toLowerCase(Locale.ROOT);
        String best = null;
        int least = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            String name = candidate.toLowerCase(Locale.ROOT);
            boolean begins = wanted.length() > 1 && name.startsWith(wanted);
            int distance = begins ? 1 : distance(wanted, name);
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return least <= Math.max(2, wanted.length() / 3) ? best : null;
    }

    /** Returns {@code "; did you mean X?"}, or an empty text if no candidate is near. */
    static String didYouMean(String typed, Collection<String> candidates) {
        String nearest = nearest(typed, candidates);
        return nearest == null ? "" : "; did you mean " + nearest + "?";
    }

    /** Counts the edits between two words (Damerau and Levenshtein); a swap counts as one. */
    static int distance(String a, String b) {
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            edits[i][0] = i;
        }
        for (int j = 0; j <= b.length(); j++) {
            edits[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int least = Math.min(edits[i - 1][j], edits[i][j - 1]) + 1;
                least = Math.min(least, edits[i - 1][j - 1] + change);
                boolean swapped =
                        i > 1
                                && j > 1
                                && a.charAt(i - 1) == b.charAt(j - 2)
                                && a.charAt(i - 2) == b.charAt(j - 1);
                edits[i][j] = swapped ? Math.min(least, edits[i - 2][j - 2] + 1) : least;
            }
        }
        return edits[a.length()][b.length()];
    }
}
