package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FloatScannerTest {
    private final FloatScanner scanner = new FloatScanner();

    private float scan(String text) {
        byte[] bytes = ("x" + text + " 9").getBytes(StandardCharsets.UTF_8);
        float value = scanner.scan(bytes, 1, bytes.length);
        assertThat(scanner.end()).as(text).isEqualTo(1 + text.length());
        assertThat(scanner.exact(bytes, 1)).as(text).isEqualTo(Double.parseDouble(text));
        return value;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "1",
                "+1",
                "-1",
                "0.5",
                ".5",
                "5.",
                "1e3",
                "1E-3",
                "1e+3",
                "16777217",
                "16777216",
                "33554431",
                "0.1",
                "3.14159265358979",
                "1e-45",
                "1.4e-45",
                "7e-46",
                "7.1e-46",
                "1.17549435e-38",
                "1.17549428e-38",
                "3.4028235e38",
                "3.4028236e38",
                "1e39",
                "-1e39",
                "1e-400",
                "1e400",
                "123456789012345678901234567890",
                "0.000000000000000000000000000000000000000000001",
                "1.00000017881393432617187499",
                "1.00000017881393432617187500",
                "1.00000017881393432617187501",
                "9007199791611905",
                "00000000000000000000000000001.5",
                "1e99999999999"
            })
    void roundsLikeTheStandardLibrary(String text) {
        assertThat(scan(text)).isEqualTo(Float.parseFloat(text));
    }

    @Test
    void roundsRandomNumbersLikeTheStandardLibrary() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            String text = random(random);
            assertThat(scan(text)).as("%s, seed %d", text, seed).isEqualTo(Float.parseFloat(text));
        }
    }

    private static String random(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> Float.toString(Float.intBitsToFloat(random.nextInt() & 0x7f7fffff));
            case 1 ->
                    Double.toString(random.nextGaussian() * Math.pow(10, random.nextInt(60) - 30));
            case 2 -> random.nextInt(1000) + "." + random.nextInt(1_000_000);
            case 3 -> halfWay(random);
            default -> random.nextLong() + "e" + (random.nextInt(40) - 30);
        };
    }

    /** Half way between two floats, or next to it. */
    private static String halfWay(Random random) {
        float f = Float.intBitsToFloat(0x30000000 + random.nextInt(0x20000000));
        String text = new BigDecimal(((double) f + Math.nextUp(f)) / 2).toPlainString();
        return text.contains(".") ? text + random.nextInt(3) : text;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "+", ".", "-.", "e5", "nan", "inf", "x", "--1"})
    void saysWhatIsNoNumber(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThat(scanner.scan(bytes, 0, bytes.length)).isNaN();
        assertThat(scanner.exact(bytes, 0)).isNaN();
        assertThat(scanner.end()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e", "1e+", "1f", "1d", "1x", "1.2.3", "1-", "0x1p3"})
    void leavesWhatDoesNotBelongToTheNumber(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThat(scanner.scan(bytes, 0, bytes.length)).isFinite();
        assertThat(scanner.end()).isPositive().isLessThan(bytes.length);
    }
}
