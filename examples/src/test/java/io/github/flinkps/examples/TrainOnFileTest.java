package io.github.flinkps.examples;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shows how the program is called; what it does is seen on a real cluster. */
class TrainOnFileTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "--input", "--model /m", "--input /rows --epoch 3"})
    void saysHowItIsCalled(String arguments) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TrainOnFile.main(arguments.split(" ")))
                .withMessageStartingWith("usage: TrainOnFile --input PATH,..")
                .withMessageContaining("epochs");
    }
}
