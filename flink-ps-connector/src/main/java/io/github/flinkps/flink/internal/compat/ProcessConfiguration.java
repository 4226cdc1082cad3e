package io.github.flinkps.flink.internal.compat;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;

/** Finds Flink's configuration of this process, where nothing hands it over. */
public final class ProcessConfiguration {
    private ProcessConfiguration() {}

    /** Reads once, as Flink logs what it reads. */
    private static final class Read {
        private static final Configuration ONCE = GlobalConfiguration.loadConfiguration();
    }

    /** Returns what the file in {@code FLINK_CONF_DIR} says; nothing if none is set. */
    public static Configuration read() {
        return Read.ONCE;
    }
}
