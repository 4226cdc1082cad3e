package io.github.flinkps.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.testing.GeneratedDoc;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ApiKeyTest {
    @Test
    void idsArePermanentAndUnique() {
        assertThat(Stream.of(ApiKey.values()).map(ApiKey::id)).doesNotHaveDuplicates();
        for (ApiKey api : ApiKey.values()) {
            assertThat(ApiKey.of(api.id(), api.minVersion())).isSameAs(api);
            assertThat(ApiKey.of(api.id(), api.maxVersion())).isSameAs(api);
        }
    }

    @Test
    void unknownApiIsRefused() {
        for (int id : new int[] {-1, ApiKey.values().length, Short.MAX_VALUE}) {
            assertThatThrownBy(() -> ApiKey.of(id, 1))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_API));
        }
    }

    @Test
    void unknownVersionIsRefused() {
        for (ApiKey api : ApiKey.values()) {
            for (int version : new int[] {api.minVersion() - 1, api.maxVersion() + 1}) {
                assertThatThrownBy(() -> ApiKey.of(api.id(), version))
                        .isInstanceOfSatisfying(
                                PsException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION));
            }
        }
    }

    @Test
    void tableIsUpToDate() throws Exception {
        GeneratedDoc.check(
                "apis.md",
                "Apis of the wire",
                "Requests a server understands. Ids are permanent; a changed layout is a new"
                        + " version. The layouts are those of the package"
                        + " `io.github.flinkps.protocol`.",
                List.of("id", "api", "versions"),
                Stream.of(ApiKey.values())
                        .map(
                                api ->
                                        List.of(
                                                String.valueOf(api.id()),
                                                "`" + api + "`",
                                                api.minVersion() + " to " + api.maxVersion()))
                        .toList());
    }
}
