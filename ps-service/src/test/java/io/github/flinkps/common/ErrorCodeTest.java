package io.github.flinkps.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.GeneratedDoc;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
    @Test
    void idsArePermanentAndUnique() {
        assertThat(Stream.of(ErrorCode.values()).map(ErrorCode::id)).doesNotHaveDuplicates();
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(ErrorCode.ofId(code.id())).isSameAs(code);
        }
    }

    @Test
    void unknownIdIsAnInternalError() {
        assertThat(ErrorCode.ofId(Short.MAX_VALUE)).isSameAs(ErrorCode.INTERNAL);
    }

    @Test
    void tableIsUpToDate() throws Exception {
        GeneratedDoc.check(
                "errors.md",
                "Error codes",
                "What a server may answer instead of a result, and clients throw as `PsException`."
                        + " A retriable error may be gone when the same request is sent again.",
                List.of("id", "code", "retriable", "meaning"),
                Stream.of(ErrorCode.values())
                        .map(
                                code ->
                                        List.of(
                                                String.valueOf(code.id()),
                                                "`" + code + "`",
                                                code.retriable() ? "yes" : "no",
                                                code.meaning()))
                        .toList());
    }
}
