package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.HashSet;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class FencesTest {
    private final Set<String> living = new HashSet<>();
    private final Fences fences =
            new Fences(
                    0,
                    4,
                    living::contains,
                    (client, model) -> client.equals("anna") || model.startsWith(client));

    private static void fails(ErrorCode code, String part, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(part);
    }

    @Test
    void oneOfTwoAttemptsGetsANumberAndGetsItAgain() {
        fences.grant("anna", "m", "run", "a", 1);
        fences.grant("anna", "m", "run", "a", 1);
        assertThat(fences.isOf("m", "a")).isTrue();
        fails(ErrorCode.FENCED, "fence 1", () -> fences.grant("anna", "m", "run", "b", 1));
        fences.grant("anna", "m", "run", "b", 2);
        fails(ErrorCode.FENCED, "fence 2", () -> fences.grant("anna", "m", "run", "a", 1));
        assertThat(fences.isOf("m", "a")).isFalse();
        assertThat(fences.highest("m")).isEqualTo(2);
        fences.check("m", 2);
        fences.check("m", 0);
        fences.check("another", 1);
        fails(ErrorCode.FENCED, "fence 1 is refused", () -> fences.check("m", 1));
    }

    @Test
    void aRunThatWasReplacedDoesNotTakeTheModelBack() {
        fences.grant("anna", "m", "first", "a", 1);
        fences.grant("anna", "m", "second", "b", 2);
        fences.grant("anna", "m", "second", "c", 3);
        fails(ErrorCode.FENCED, "run second", () -> fences.grant("anna", "m", "first", "d", 4));
        assertThat(fences.highest("m")).isEqualTo(3);
        fences.grant("anna", "another", "first", "d", 1);
    }

    @Test
    void whatNumbersItselfIsAboveTheGrantedAndBelowTheNext() {
        fences.grant("anna", "m", "run", "a", 1);
        assertThat(fences.admit("anna", "m", "run", 1)).isFalse();
        assertThat(fences.admit("anna", "m", "run", 5)).isTrue();
        fails(ErrorCode.FENCED, "fence 5", () -> fences.grant("anna", "m", "run", "a", 1));
        fails(ErrorCode.FENCED, "fence 5", () -> fences.grant("anna", "m", "run", "b", 5));
        fences.grant("anna", "m", "run", "b", 6);
    }

    @Test
    void numbersOfForgottenModelsNeverCountAgain() {
        living.add("kept");
        fences.grant("anna", "kept", "run", "a", 3);
        for (int i = 0; i < 20; i++) {
            fences.grant("anna", "m" + i, "run", "a", 100 + i);
        }
        assertThat(fences.highest("kept")).isEqualTo(3);
        assertThat(fences.highest("m19")).isEqualTo(119);
        assertThat(fences.highest("m0")).isBetween(100L, 119L);
        fails(ErrorCode.FENCED, "is refused", () -> fences.check("m0", 99));
    }

    /**
     * A client that names very many models has none of another pushed out, and raises no other's
     * number.
     */
    @Test
    void namesOfOneClientCountForThoseModelsAloneThatItMayTrain() {
        fences.grant("anna", "ads", "run", "a", 3);
        for (int i = 0; i < 20; i++) {
            fences.grant("bert", "bert-" + i, "run", "a", (1L << 40) + i);
        }
        assertThat(fences.isOf("ads", "a")).isTrue();
        fences.grant("anna", "ads", "run", "b", 4);
        fences.grant("anna", "ads-2", "run", "a", 1);
        fails(ErrorCode.FENCED, "bert-0", () -> fences.grant("anna", "bert-0", "run", "b", 7));
    }

    /** A model counts among those of the client that took it last. */
    @Test
    void aModelThatAnotherClientTakesIsForgottenOnce() {
        for (int i = 0; i < 4; i++) {
            fences.grant("anna", "bert-" + i, "run", "a", 1);
            fences.grant("bert", "bert-" + i, "run", "b", 2);
        }
        for (int i = 0; i < 20; i++) {
            fences.grant("anna", "m" + i, "run", "a", 9 + i);
        }
        assertThat(fences.isOf("bert-0", "b")).isTrue();
        fences.grant("bert", "bert-4", "run", "a", 100);
        assertThat(fences.isOf("bert-0", "b")).isFalse();
    }

    @Test
    void aFenceIsOfTheClientThatWasGrantedIt() {
        fences.grant("anna", "m", "run", "a", 3);
        assertThat(fences.isOf("anna", "m", 3)).isTrue();
        assertThat(fences.isOf("bert", "m", 3)).isFalse();
        assertThat(fences.isOf("anna", "m", 4)).isFalse();
        assertThat(fences.isOf("anna", "n", 3)).isFalse();
        fences.grant("bert", "m", "other", "b", 4);
        assertThat(fences.isOf("anna", "m", 3)).isFalse();
        assertThat(fences.isOf("bert", "m", 4)).isTrue();
    }

    @Test
    void aServerOfOneAttemptTakesNoOther() {
        Fences born = new Fences(7, 4, living::contains, (client, model) -> true);
        assertThat(born.admit("anna", "m", "run", 7)).isTrue();
        born.check("m", 0);
        fails(ErrorCode.FENCED, "fence 7 alone", () -> born.check("m", 6));
        fails(ErrorCode.FENCED, "fence 7 alone", () -> born.admit("anna", "m", "run", 8));
        fails(
                ErrorCode.INVALID_ARGUMENT,
                "grants none",
                () -> born.grant("anna", "m", "run", "a", 8));
    }

    @Test
    void whatIsNoFenceIsRefused() {
        fails(ErrorCode.INVALID_ARGUMENT, "range", () -> fences.check("m", -1));
        fails(ErrorCode.INVALID_ARGUMENT, "range", () -> fences.check("m", Long.MAX_VALUE));
        fails(ErrorCode.INVALID_ARGUMENT, "name", () -> fences.grant("anna", "m", "run", "", 1));
    }

    @Test
    void longNamesAreForgottenSoonerThanShortOnes() {
        for (int length : new int[] {10, 500}) {
            Fences many = new Fences(0, 1 << 16, living::contains, (client, model) -> true);
            many.grant("anna", "first", "run", "a", 9);
            for (int i = 0; i < 20_000; i++) {
                many.grant("anna", "x".repeat(length) + i, "y".repeat(length), "a", 10 + i);
            }
            assertThat(many.highest("unknown") > 0).isEqualTo(length == 500);
        }
    }
}
