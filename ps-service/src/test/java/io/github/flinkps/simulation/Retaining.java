package io.github.flinkps.simulation;

import io.github.flinkps.client.PushFilter;
import io.github.flinkps.common.KeyHash;
import java.util.List;
import java.util.Random;

/** The amount that the workers of a simulated job hold, and for how long. */
enum Retaining {
    NONE,
    SOME,
    ALL;

    static Retaining draw(Random random) {
        return List.of(NONE, SOME, ALL).get(random.nextInt(3));
    }

    PushFilter filter() {
        return rows -> {
            for (int row = 0; row < rows.count(); row++) {
                long drawn = KeyHash.mix64(rows.key(row) * 31 + rows.clock());
                if (this == ALL || this == SOME && drawn > 0) {
                    rows.retain(row);
                }
            }
        };
    }
}
