package io.github.flinkps.flink.options;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.security.TlsFiles;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;

/**
 * The options by which a job and the servers of the option {@code remote} know each other. The
 * options name files of each machine that the job runs on, so what describes a job has no secret.
 */
public final class RemoteSecurity {
    /** Lists the options for servers that run already. */
    public static final List<ConfigOption<String>> OPTIONS =
            List.of(
                    PsOptions.TLS_TRUST,
                    PsOptions.TLS_CERTIFICATE,
                    PsOptions.TLS_KEY,
                    PsOptions.TOKEN_FILE);

    /**
     * Names the token of what only reads. It is not that of other servers, as other people's jobs
     * see it.
     */
    public static final ConfigOption<String> READER_TOKEN_FILE =
            ConfigOptions.key("reader-token-file")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "File with the line NAME:TOKEN that is shown to servers inside jobs,"
                                    + " which take it of readers (server-token-file).");

    /** Lists the options of what reads: the others, and {@link #READER_TOKEN_FILE}. */
    public static final List<ConfigOption<String>> OF_READERS =
            Stream.concat(OPTIONS.stream(), Stream.of(READER_TOKEN_FILE)).toList();

    /** Begins the names of them in Flink's configuration. */
    private static final String OF_FLINK = "flink-ps.";

    private RemoteSecurity() {}

    /**
     * Adds those of Flink's configuration, {@code flink-ps.tls-trust} and so on, to options that
     * name none of {@link #OPTIONS} themselves.
     */
    public static void complete(Configuration options, ReadableConfig flink) {
        if (OPTIONS.stream().noneMatch(options::contains)) {
            OPTIONS.forEach(option -> complete(options, option, flink));
        }
    }

    /**
     * Adds those for what reads, as {@link #complete} does. {@link #READER_TOKEN_FILE} is added
     * unless it is set, whatever else is.
     */
    public static void completeReader(Configuration options, ReadableConfig flink) {
        complete(options, flink);
        if (!options.contains(READER_TOKEN_FILE)) {
            complete(options, READER_TOKEN_FILE, flink);
        }
    }

    private static void complete(
            Configuration options, ConfigOption<String> option, ReadableConfig flink) {
        flink.getOptional(ofFlink(option)).ifPresent(file -> options.set(option, file));
    }

    private static ConfigOption<String> ofFlink(ConfigOption<String> option) {
        return ConfigOptions.key(OF_FLINK + option.key()).stringType().noDefaultValue();
    }

    /**
     * Returns what options say.
     *
     * @throws IllegalArgumentException naming the option that another one needs
     */
    public static ClientSecurity of(ReadableConfig options) {
        return new ClientSecurity(
                        new TlsFiles(
                                options.getOptional(PsOptions.TLS_CERTIFICATE).orElse(null),
                                options.getOptional(PsOptions.TLS_KEY).orElse(null),
                                options.getOptional(PsOptions.TLS_TRUST).orElse(null)),
                        options.getOptional(PsOptions.TOKEN_FILE).orElse(null))
                .withReaderToken(options.getOptional(READER_TOKEN_FILE).orElse(null));
    }

    /** Refuses them for a job that brings its servers along. */
    static void checkUsed(ReadableConfig options) {
        for (ConfigOption<String> option : OPTIONS) {
            if (options.getOptional(option).isPresent()
                    && options.getOptional(PsOptions.REMOTE).isEmpty()) {
                throw new IllegalArgumentException(
                        option.key() + " is for the servers of remote, and remote names none");
            }
        }
    }
}
