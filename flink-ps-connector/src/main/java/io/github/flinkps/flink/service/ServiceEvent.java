package io.github.flinkps.flink.service;

import io.github.flinkps.common.ErrorCode;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * What the enumerator and its readers tell each other. Everything names the attempt by the number
 * the enumerator gave it, which is the fence of embedded servers.
 */
sealed interface ServiceEvent extends SourceEvent {
    long fence();

    /** To every reader: start your server, which is born with this fence. */
    record Start(long fence) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }

    /** From every reader: its server is there (remote: the reader is). */
    record Started(long fence, String address) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }

    /**
     * To reader 0: all servers are there; create the tables and load the initial model.
     *
     * @param restored whether workers go on from a cut of the job's own, in whose place nothing
     *     needs to be loaded
     */
    record Prepare(long fence, List<String> addresses, boolean restored) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }

    /**
     * From reader 0: workers may come.
     *
     * @param granted the fence under which they come. Embedded servers know no other than that of
     *     the attempt; remote ones have granted it
     */
    record Prepared(long fence, long granted) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }

    /** From reader 0: all workers are done and the model is saved. */
    record Saved(long fence) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }

    /** From any reader: what the job is to fail with. */
    record Failed(long fence, ErrorCode code, String reason) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }

    /** To every reader: end. */
    record End(long fence) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }
}
