package io.github.flinkps.benchmarks.results;

import java.util.List;
import java.util.Locale;

/**
 * The shape in which a job runs.
 *
 * @param workers their number
 * @param consistency as the option has it, maybe with others behind it
 */
record Shape(int workers, String consistency) {
    static final List<Shape> ALL =
            List.of(
                    new Shape(1, "bsp"),
                    new Shape(2, "bsp"),
                    new Shape(1, "asp"),
                    new Shape(2, "asp"));

    String options() {
        return "--workers " + workers + " --consistency " + consistency;
    }

    String title() {
        return consistency.split(" ")[0].toUpperCase(Locale.ROOT) + ", " + workers;
    }
}
