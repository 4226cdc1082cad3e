package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionsTest {
    @Test
    void countsEdits() {
        assertThat(Suggestions.distance("adam", "adam")).isZero();
        assertThat(Suggestions.distance("adma", "adam")).isEqualTo(1);
        assertThat(Suggestions.distance("", "sgd")).isEqualTo(3);
        assertThat(Suggestions.distance("kitten", "sitting")).isEqualTo(3);
    }

    @Test
    void findsWhatIsNear() {
        List<String> options = List.of("--epochs", "--seed", "--servers");
        assertThat(Suggestions.nearest("--epoch", options)).isEqualTo("--epochs");
        assertThat(Suggestions.nearest("--SERVER", options)).isEqualTo("--servers");
        assertThat(Suggestions.nearest("--s", List.of("--seed"))).isEqualTo("--seed");
        assertThat(Suggestions.didYouMean("--sede", options)).isEqualTo("; did you mean --seed?");
    }

    @Test
    void isSilentWhereNothingIsNear() {
        assertThat(Suggestions.nearest("xyzzy", List.of("train", "predict"))).isNull();
        assertThat(Suggestions.didYouMean("xyzzy", List.of("train"))).isEmpty();
    }
}
