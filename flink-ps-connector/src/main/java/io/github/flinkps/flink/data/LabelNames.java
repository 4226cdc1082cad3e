package io.github.flinkps.flink.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The texts by which an input names its labels. Where all are numbers they are compared as such, so
 * that 1 and 1.0 are one label. An object belongs to one thread; its static methods to all.
 */
public final class LabelNames {
    /** Stands for a text that names no label. */
    public static final int NONE = -1;

    /** The largest whole number up to which a float tells all apart. */
    public static final int LARGEST_NUMBER = 1 << 24;

    private static final int MOST_SHOWN = 10;
    private static final Set<Float> BINARY = Set.of(-1f, 0f, 1f);

    /** The label of each text; empty where all are numbers. */
    private final Map<String, Integer> texts = new HashMap<>();

    /** The numbers in their order, and the label of each. */
    private final float[] numbers;

    private final int[] labels;
    private final FloatScanner number = new FloatScanner();

    /**
     * @param names those of label 0, 1, ..
     * @throws IllegalArgumentException when one stands for two labels
     */
    public LabelNames(List<List<String>> names) {
        TreeMap<Float, Integer> sorted = new TreeMap<>();
        boolean areNumbers = names.stream().flatMap(List::stream).allMatch(LabelNames::isNumber);
        for (int label = 0; label < names.size(); label++) {
            for (String name : names.get(label)) {
                Integer other =
                        areNumbers ? sorted.put(number(name), label) : texts.put(name, label);
                if (other != null && other != label) {
                    throw new IllegalArgumentException(
                            "'" + name + "' is there for two labels; it can mean one only");
                }
            }
        }
        this.numbers = new float[sorted.size()];
        this.labels = new int[numbers.length];
        int next = 0;
        for (Map.Entry<Float, Integer> each : sorted.entrySet()) {
            numbers[next] = each.getKey();
            labels[next++] = each.getValue();
        }
    }

    /** Returns the label that {@code b[from, to)} names, or {@link #NONE}. */
    int find(byte[] b, int from, int to) {
        if (!texts.isEmpty()) {
            String text = new String(b, from, to - from, StandardCharsets.UTF_8);
            return texts.getOrDefault(text, NONE);
        }
        float read = number.scan(b, from, to);
        return from < to && number.end() == to ? find(read) : NONE;
    }

    /** Returns the label that a text names, or {@link #NONE}. */
    public int find(String text) {
        if (!texts.isEmpty()) {
            return texts.getOrDefault(text, NONE);
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return find(bytes, 0, bytes.length);
    }

    /** Returns the label that a number names, or {@link #NONE}. */
    public int find(float read) {
        int at = Arrays.binarySearch(numbers, read + 0f);
        return at < 0 ? NONE : labels[at];
    }

    /** Returns the number that a text is, 0 being positive, or NaN. */
    private static float number(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        FloatScanner scanner = new FloatScanner();
        float read = scanner.scan(bytes, 0, bytes.length);
        return bytes.length > 0 && scanner.end() == bytes.length ? read + 0f : Float.NaN;
    }

    /** Returns whether a text is a number. */
    public static boolean isNumber(String text) {
        return !Float.isNaN(number(text));
    }

    /** Returns whether a text is a number that no other whole number is taken for. */
    public static boolean isExact(String text) {
        return Math.abs(number(text)) <= LARGEST_NUMBER;
    }

    /** Returns what a message adds that refuses a label. */
    static String hint(Labels labels) {
        return labels.mostTexts() > 0 && labels.names().isEmpty()
                ? "; --label-values names other labels"
                : "";
    }

    /** Returns what a message says of a label that is none of those wanted. */
    static String refusal(Labels labels) {
        return labels.names().isEmpty()
                ? "is out of range: it must be " + labels.range() + hint(labels)
                : "is none of the labels " + show(labels.names());
    }

    /** Returns how messages show names. */
    public static String show(List<List<String>> names) {
        List<String> first =
                names.stream().limit(MOST_SHOWN).map(each -> String.join("|", each)).toList();
        return String.join(", ", first) + (names.size() > MOST_SHOWN ? ", .." : "");
    }

    /**
     * Returns names for the labels that rows have, all of them numbers: in ascending order, and
     * those of all classes where they are counted from 1 on. None where they are labels already, as
     * they are, and where they are too many or too few to be told apart: the rows that are out of
     * range will say so.
     *
     * @param found the texts of the labels
     */
    static List<List<String>> ofNumbers(Collection<String> found, Labels wanted) {
        TreeMap<Float, String> sorted = new TreeMap<>();
        found.forEach(text -> sorted.putIfAbsent(number(text), text));
        int classes = wanted.classes();
        if (isPlain(sorted.keySet(), wanted)) {
            return List.of();
        }
        if (classes > 0 && sorted.keySet().stream().allMatch(n -> isWithin(n, 1, classes))) {
            return IntStream.rangeClosed(1, classes)
                    .mapToObj(label -> List.of(Integer.toString(label)))
                    .toList();
        }
        return sorted.size() < 2 || sorted.size() > wanted.mostTexts()
                ? List.of()
                : sorted.values().stream().map(List::of).toList();
    }

    /** Returns whether more rows may still change what {@link #ofNumbers} says. */
    static boolean isOpen(Set<Float> found, Labels wanted) {
        int most = wanted.mostTexts();
        return found.size() < most
                || found.size() == most && most == 2 && found.equals(Set.of(-1f, 0f));
    }

    private static boolean isPlain(Set<Float> found, Labels wanted) {
        return switch (wanted.kind()) {
            case BINARY -> BINARY.containsAll(found) && !found.equals(Set.of(-1f, 0f));
            case CLASS -> found.stream().allMatch(n -> isWithin(n, 0, wanted.classes() - 1));
            default -> true;
        };
    }

    private static boolean isWithin(float number, int first, int last) {
        return number >= first && number <= last && number == (int) number;
    }

    /** Returns the text of a label that is a number: a whole one without a point. */
    static String text(float label) {
        return label == (int) label ? Integer.toString((int) label) : Float.toString(label);
    }
}
