package io.github.flinkps.flink.options;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.security.TlsFiles;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
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

    private RemoteSecurity() {}

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
