package io.github.flinkps.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PsExceptionTest {
    @ParameterizedTest
    @EnumSource
    void tracesWhatIsNotTriedAgain(ErrorCode code) {
        PsException failure = new PsException(code, "why");
        assertThat(failure.getStackTrace().length == 0).isEqualTo(code.retriable());
        assertThat(failure).hasMessage("why").hasNoCause();
        PsException caused = new PsException(code, "why", new IllegalStateException());
        assertThat(caused.getStackTrace()).isNotEmpty();
    }
}
