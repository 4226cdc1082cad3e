package io.github.flinkps.flink.service;

import io.github.flinkps.security.StoreKeys;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.SecurityOptions;

/**
 * The keys by which processes of a Flink cluster know each other, as its configuration has them.
 */
final class ClusterKeys {
    private ClusterKeys() {}

    /**
     * Returns the keys of Flink's internal connections; null if it has these in clear.
     *
     * @throws IllegalConfigurationException naming the option that is missing
     */
    static StoreKeys of(Configuration flink) {
        if (!SecurityOptions.isInternalSSLEnabled(flink)) {
            return null;
        }
        StoreKeys.Store own =
                store(
                        flink,
                        SecurityOptions.SSL_INTERNAL_KEYSTORE,
                        SecurityOptions.SSL_KEYSTORE,
                        flink.get(SecurityOptions.SSL_INTERNAL_KEYSTORE_TYPE),
                        value(
                                flink,
                                SecurityOptions.SSL_INTERNAL_KEYSTORE_PASSWORD,
                                SecurityOptions.SSL_KEYSTORE_PASSWORD));
        StoreKeys.Store trust =
                store(
                        flink,
                        SecurityOptions.SSL_INTERNAL_TRUSTSTORE,
                        SecurityOptions.SSL_TRUSTSTORE,
                        flink.get(SecurityOptions.SSL_INTERNAL_TRUSTSTORE_TYPE),
                        value(
                                flink,
                                SecurityOptions.SSL_INTERNAL_TRUSTSTORE_PASSWORD,
                                SecurityOptions.SSL_TRUSTSTORE_PASSWORD));
        String keyPassword =
                value(
                        flink,
                        SecurityOptions.SSL_INTERNAL_KEY_PASSWORD,
                        SecurityOptions.SSL_KEY_PASSWORD);
        String fingerprints =
                flink.getOptional(SecurityOptions.SSL_INTERNAL_CERT_FINGERPRINT).orElse("");
        return new StoreKeys(
                own,
                keyPassword,
                trust,
                fingerprints.isBlank() ? List.of() : List.of(fingerprints.split(",")));
    }

    private static StoreKeys.Store store(
            Configuration flink,
            ConfigOption<String> option,
            ConfigOption<String> otherwise,
            String type,
            String password) {
        return new StoreKeys.Store(option.key(), value(flink, option, otherwise), type, password);
    }

    private static String value(
            Configuration flink, ConfigOption<String> option, ConfigOption<String> otherwise) {
        return flink.getOptional(option)
                .or(() -> flink.getOptional(otherwise))
                .orElseThrow(
                        () ->
                                new IllegalConfigurationException(
                                        "security.ssl.internal.enabled wants "
                                                + option.key()
                                                + " or "
                                                + otherwise.key()
                                                + " too"));
    }
}
