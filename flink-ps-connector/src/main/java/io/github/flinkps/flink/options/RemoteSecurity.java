package io.github.flinkps.flink.options;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.security.TlsFiles;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;

/**
 * How the servers of the option {@code remote} are known, and how they know the job. The options
 * name files of each machine that the job runs on, so what describes a job has no secret.
 */
public final class RemoteSecurity {
    /** The options of it. */
    public static final List<ConfigOption<String>> OPTIONS =
            List.of(
                    PsOptions.TLS_TRUST,
                    PsOptions.TLS_CERTIFICATE,
                    PsOptions.TLS_KEY,
                    PsOptions.TOKEN_FILE);

    /** Begins the names of them in Flink's configuration. */
    private static final String OF_FLINK = "flink-ps.";

    private RemoteSecurity() {}

    /**
     * Adds those of Flink's configuration, {@code flink-ps.tls-trust} and so on, to options that
     * name no such file themselves.
     *
     * @param remote whether they are for servers that run already; else for readers of the servers
     *     of a job, who need a token alone
     */
    public static void complete(Configuration options, ReadableConfig flink, boolean remote) {
        if (OPTIONS.stream().noneMatch(options::contains)) {
            for (ConfigOption<String> option : remote ? OPTIONS : List.of(PsOptions.TOKEN_FILE)) {
                flink.getOptional(ofFlink(option)).ifPresent(file -> options.set(option, file));
            }
        }
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
                options.getOptional(PsOptions.TOKEN_FILE).orElse(null));
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
