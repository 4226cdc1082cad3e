package io.github.flinkps.cli;

import io.github.flinkps.cli.job.JobOptions;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Options of a command that are made of the declarations of a job's options. */
final class CommandOptions {
    private CommandOptions() {}

    static void addTo(CommandSpec spec, List<JobOptions.Shown> options) {
        for (JobOptions.Shown option : options) {
            boolean flag = option.label().isEmpty();
            spec.addOption(
                    OptionSpec.builder("--" + option.key())
                            .type(flag ? boolean.class : String.class)
                            .arity(flag ? "0" : "1")
                            .paramLabel(option.label())
                            .description(option.description())
                            .build());
        }
    }

    /**
     * Reads what was typed.
     *
     * @param reader makes settings of texts by key, or throws {@link IllegalArgumentException}
     * @throws ParameterException naming the option that is wrong
     */
    static <T> T read(Usage usage, Function<Map<String, String>, T> reader) {
        try {
            return reader.apply(usage.typed());
        } catch (IllegalArgumentException e) {
            throw usage.refusal(inWordsOfCommands(usage, e.getMessage()));
        }
    }

    /** Rewrites a message for the command line: options as {@code --KEY}, lists with commas. */
    private static String inWordsOfCommands(Usage usage, String message) {
        String text =
                message.replaceFirst("^option '([^']*)'", "$1")
                        .replaceFirst("the option (\\S+)", "--$1")
                        .replace("execution.checkpointing.interval", "--checkpoint-interval")
                        .replace("separated by semicolons", "separated by commas");
        return usage.option("--" + text.split("[ :]", 2)[0]) != null ? "--" + text : text;
    }
}
