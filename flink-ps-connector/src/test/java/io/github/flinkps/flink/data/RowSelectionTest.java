package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RowSelectionTest {
    @Test
    void takesItsShareByPositionAndSeed() {
        RowSelection test = RowSelection.test(1, 0.25);
        RowSelection train = RowSelection.train(1, 0.25);
        RowSelection other = RowSelection.test(2, 0.25);
        int tests = 0;
        int differ = 0;
        for (int i = 0; i < 40_000; i++) {
            int file = i % 3;
            long position = 70L * i;
            assertThat(test.accepts(file, position)).isNotEqualTo(train.accepts(file, position));
            tests += test.accepts(file, position) ? 1 : 0;
            differ += test.accepts(file, position) != other.accepts(file, position) ? 1 : 0;
        }
        assertThat(tests).isBetween(9_600, 10_400);
        assertThat(differ).isBetween(14_000, 16_000);
    }

    /** Test rows and validation rows are drawn independently. */
    @Test
    void drawsRowsThatValidateOfThePart() {
        RowSelection train = RowSelection.train(1, 0.25).withValidation(0.2);
        RowSelection rest = train.withoutValidating();
        int trains = 0;
        int validates = 0;
        for (int i = 0; i < 40_000; i++) {
            int file = i % 3;
            long position = 70L * i;
            boolean reads = train.accepts(file, position);
            assertThat(reads).isEqualTo(RowSelection.train(1, 0.25).accepts(file, position));
            assertThat(rest.accepts(file, position))
                    .isEqualTo(reads && !train.validates(file, position));
            trains += reads ? 1 : 0;
            validates += reads && train.validates(file, position) ? 1 : 0;
        }
        assertThat((double) validates / trains).isBetween(0.19, 0.21);
        assertThat(RowSelection.train(1, 0.25).drawsValidation()).isFalse();
        assertThatThrownBy(() -> train.withValidation(-1)).hasMessageContaining("validation-share");
    }

    @Test
    void takesAllOrNoneAtTheEnds() {
        for (int i = 0; i < 1000; i++) {
            assertThat(RowSelection.all().accepts(0, i)).isTrue();
            assertThat(RowSelection.test(1, 0).accepts(0, i)).isFalse();
            assertThat(RowSelection.test(1, 1).accepts(0, i)).isTrue();
        }
        assertThatThrownBy(() -> RowSelection.test(1, 1.5)).hasMessageContaining("test-share");
        assertThatThrownBy(() -> RowSelection.test(1, Double.NaN))
                .hasMessageContaining("test-share");
    }
}
