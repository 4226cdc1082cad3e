package io.github.flinkps.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AmountsTest {
    @Test
    void countsInWords() {
        assertThat(Amounts.of(0, "pass", "passes")).isEqualTo("0 passes");
        assertThat(Amounts.of(1, "pass", "passes")).isEqualTo("1 pass");
        assertThat(Amounts.of(12_345, "row", "rows")).isEqualTo("12,345 rows");
    }

    @Test
    void shortensWhatIsLong() {
        assertThat(Amounts.count(Double.NaN)).isEqualTo("-");
        assertThat(Amounts.count(99_999)).isEqualTo("99,999");
        assertThat(Amounts.count(100_000)).isEqualTo("100k");
        assertThat(Amounts.bytes(Double.NaN)).isEqualTo("- B");
        assertThat(Amounts.bytes(999)).isEqualTo("999 B");
        assertThat(Amounts.bytes(999_960)).isEqualTo("1.0 MB");
    }
}
