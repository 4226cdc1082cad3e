package io.github.flinkps.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ResidualsTest {
    private static final int WIDTH = 2;
    private static final List<TableSpec> TABLES =
            List.of(
                    TableSpec.sparse("a", WIDTH, UpdateSpec.of("add")),
                    TableSpec.dense("b", 1000, WIDTH, UpdateSpec.of("add")));

    private final Residuals residuals = new Residuals(TABLES);

    private static void put(Residuals in, String table, long key, float value) {
        in.part(table, key).put(key, new float[] {value, 2 * value}, 0, 1);
    }

    private static Map<String, Float> rows(List<Residual> saved) {
        Map<String, Float> rows = new HashMap<>();
        for (Residual each : saved) {
            for (int row = 0; row < each.rows(); row++) {
                float first = each.values()[row * WIDTH];
                assertThat(each.values()[row * WIDTH + 1]).isEqualTo(2 * first);
                assertThat(rows.put(each.table() + each.keys()[row], first)).isNull();
            }
        }
        return rows;
    }

    @Test
    void areAMapThatIsSavedWithoutACopy() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Map<String, Float> expected = new HashMap<>();
        Map<List<Residual>, Map<String, Float>> saved = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            String table = random.nextBoolean() ? "a" : "b";
            long key = random.nextInt(1000);
            if (random.nextInt(3) > 0) {
                float value = 1 + random.nextInt(100);
                put(residuals, table, key, value);
                expected.put(table + key, value);
            } else {
                residuals.part(table, key).remove(key);
                expected.remove(table + key);
            }
            float[] row = new float[WIDTH];
            residuals.part(table, key).addTo(row, 0, key, 3);
            assertThat(row[0]).isEqualTo(3 * expected.getOrDefault(table + key, 0f));
            if (i % 2000 == 0) {
                saved.put(residuals.save(), Map.copyOf(expected));
            }
        }
        assertThat(residuals.rows()).isEqualTo(expected.size());
        assertThat(rows(residuals.save())).isEqualTo(expected);
        saved.forEach((then, values) -> assertThat(rows(then)).isEqualTo(values));
        assertThat(rows(residuals.take())).isEqualTo(expected);
        assertThat(residuals.rows()).isZero();
    }

    /** Updates that two workers retained go to three others, part by part; and then to one. */
    @Test
    void areAddedUpByKeyWhoeverHeldThem() {
        Residuals other = new Residuals(TABLES);
        LongStream.range(0, 500).forEach(key -> put(residuals, "a", key, 1));
        LongStream.range(250, 750).forEach(key -> put(other, "a", key, 2));
        List<Residuals> three =
                List.of(new Residuals(TABLES), new Residuals(TABLES), new Residuals(TABLES));
        int dealt = 0;
        for (Residuals from : List.of(residuals, other)) {
            for (Residual part : from.save()) {
                three.get(dealt++ % three.size()).add(part);
            }
        }
        assertThat(three).allSatisfy(each -> assertThat(each.rows()).isBetween(200L, 500L));
        Residuals one = new Residuals(TABLES);
        three.forEach(each -> each.save().forEach(one::add));
        Map<String, Float> sums = rows(one.save());
        assertThat(sums).hasSize(750);
        LongStream.range(0, 750)
                .forEach(
                        key ->
                                assertThat(sums.get("a" + key))
                                        .isEqualTo((key < 500 ? 1 : 0) + (key < 250 ? 0 : 2)));
    }

    @Test
    void partsAreThoseOfTheHashOfAKey() {
        LongStream.range(0, 100_000).forEach(key -> put(residuals, "a", key, 1));
        assertThat(residuals.save())
                .hasSize(Residuals.PARTS)
                .allSatisfy(part -> assertThat(part.rows()).isBetween(1200, 1900));
    }

    @Test
    void rowsOfZerosAreNotKept() {
        put(residuals, "a", 7, 3);
        put(residuals, "a", 7, 0);
        assertThat(residuals.rows()).isZero();
        assertThat(residuals.save()).isEmpty();
    }

    @Test
    void refuseWhatCannotBeAdded() {
        for (Residual wrong :
                List.of(
                        new Residual("c", WIDTH, 0, new long[0], new float[0]),
                        new Residual("a", 3, 1, new long[1], new float[3]))) {
            assertThatThrownBy(() -> residuals.add(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + wrong.table() + "'")
                    .hasMessageContaining("no such table now");
        }
        assertThatThrownBy(() -> new Residual("a", WIDTH, 2, new long[2], new float[3]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("damaged");
        assertThatThrownBy(() -> put(residuals, "a", 1, Float.NaN))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FINITE));
    }
}
