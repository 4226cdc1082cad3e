package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.testing.JavaPage;
import io.github.flinkps.flink.testing.JavaPrograms;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the programs of {@code docs/java.md}, over servers wherever they may be. */
@Timeout(480)
class JavaDocITCase {
    @TempDir Path folder;

    @Test
    void programsPrintWhatThePageSays() throws Exception {
        List<JavaPage.Program> programs = new JavaPage("java.md").programs();
        assertThat(programs).hasSize(2);
        try (ParameterServer server = ParameterServer.start(ServerConfig.defaults())) {
            List<String[]> options =
                    List.of(
                            new String[0],
                            new String[] {"servers", "2"},
                            new String[] {"remote", server.address()});
            for (String[] where : options) {
                check(programs.get(0), where);
            }
        }
        check(programs.get(1));
    }

    private void check(JavaPage.Program program, String... arguments) throws Exception {
        String source = program.source().replace("/tmp/", folder + "/");
        assertThat(new JavaPrograms(folder).run(program.name(), source, arguments))
                .as("%s %s", program.name(), List.of(arguments))
                .isEqualTo(program.output());
    }
}
