package io.github.flinkps.flink.options;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.common.Endpoint;
import java.io.Serializable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;

/**
 * Names parameter servers that run already, and how they and those inside jobs are reached.
 *
 * @param addresses host:port of each; empty: there are none
 * @param files of {@link RemoteSecurity#OF_READERS}, by the option's key
 */
public record RemoteServers(List<String> addresses, Map<String, String> files)
        implements Serializable {
    /** Names no servers. */
    public static final RemoteServers NONE = new RemoteServers(List.of(), Map.of());

    private static final long serialVersionUID = 1L;

    public RemoteServers {
        addresses = List.copyOf(addresses);
        files = Map.copyOf(files);
    }

    /**
     * Returns the addresses that {@link PsOptions#REMOTE} names; none where it is not set.
     *
     * @throws IllegalArgumentException as {@link #parse} does
     */
    public static List<String> addresses(ReadableConfig options) {
        return options.getOptional(PsOptions.REMOTE).map(RemoteServers::parse).orElse(List.of());
    }

    /**
     * Returns the addresses of a list, in whose texts commas may separate several.
     *
     * @throws IllegalArgumentException naming the option, if none is named, one is named twice, or
     *     a text is no address
     */
    static List<String> parse(List<String> texts) {
        Set<String> servers = new LinkedHashSet<>();
        for (String text : texts) {
            for (String address : text.split(",", -1)) {
                String server;
                try {
                    server = Endpoint.parse(address.strip()).toString();
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(
                            "remote: " + e.getMessage() + ", separated by commas or semicolons", e);
                }
                if (!servers.add(server)) {
                    throw new IllegalArgumentException(
                            "remote names the server " + server + " twice");
                }
            }
        }
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("remote must name at least one server");
        }
        return List.copyOf(servers);
    }

    /**
     * Returns servers that are reached by the files that options name.
     *
     * @throws IllegalArgumentException naming the option that another one needs
     */
    public static RemoteServers of(List<String> addresses, ReadableConfig options) {
        RemoteSecurity.of(options);
        Map<String, String> files = new TreeMap<>();
        for (ConfigOption<String> option : RemoteSecurity.OF_READERS) {
            options.getOptional(option).ifPresent(file -> files.put(option.key(), file));
        }
        return new RemoteServers(addresses, files);
    }

    /** Returns how they are known, and know the client. */
    public ClientSecurity security() {
        return RemoteSecurity.of(Configuration.fromMap(files));
    }

    /**
     * Lets a job use them unless its options say which servers it uses. Files of its own are used
     * in place of all of these. Files without servers are for whatever servers the job names.
     */
    public void addTo(Configuration options) {
        boolean free = !options.contains(PsOptions.REMOTE) && !options.contains(PsOptions.SERVERS);
        if (free && !addresses.isEmpty()) {
            options.set(PsOptions.REMOTE, addresses);
        }
        boolean theirs = free || addresses.isEmpty();
        if (theirs
                && options.contains(PsOptions.REMOTE)
                && RemoteSecurity.OPTIONS.stream().noneMatch(options::contains)) {
            Configuration given = Configuration.fromMap(files);
            given.removeConfig(RemoteSecurity.READER_TOKEN_FILE); // jobs that train are no readers
            options.addAll(given);
        }
    }
}
