package io.github.flinkps.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version the build has written down. */
final class ProgramVersion implements IVersionProvider {
    private static final String RESOURCE = "version.properties";

    @Override
    public String[] getVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = ProgramVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IOException("the build left out " + RESOURCE);
            }
            properties.load(in);
        }
        return new String[] {
            "flink-ps " + properties.getProperty("version"),
            "Apache Flink " + properties.getProperty("flink"),
            "Java " + System.getProperty("java.version")
        };
    }
}
