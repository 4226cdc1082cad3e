package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.cli.job.Algorithms;
import io.github.flinkps.flink.algorithm.ModelOption;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class AlgorithmOptionsTest {
    private final CommandLine train = train();

    private static CommandLine train() {
        PrintWriter writer = new PrintWriter(new StringWriter());
        return Main.commandLine(writer, writer).getSubcommands().get("train");
    }

    @Test
    void helpSaysTheDefaultOfEachAlgorithm() {
        for (String name : Algorithms.names()) {
            for (ModelOption option : Algorithms.own(name)) {
                String text =
                        train.getCommandSpec().findOption("--" + option.name()).description()[0];
                String defaults = text.substring(text.indexOf("). Default: "));
                String own = option.defaultValue();
                String another = "(?s).*[( ]" + name + ": .*";
                assertThat(defaults)
                        .as("--%s of %s", option.name(), name)
                        .contains(
                                defaults.matches(another)
                                        ? name + ": " + own
                                        : "). Default: " + own);
            }
        }
    }

    @Test
    void helpNamesTheAlgorithms() {
        String help = train.getUsageMessage().replaceAll("\\s+", " ");
        assertThat(help)
                .contains(
                        "Algorithm, one of " + String.join(", ", Algorithms.names()) + ". Default");
    }
}
