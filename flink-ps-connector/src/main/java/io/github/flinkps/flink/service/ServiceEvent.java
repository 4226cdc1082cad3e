package io.github.flinkps.flink.service;

import io.github.flinkps.common.ErrorCode;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * The events that the enumerator and its readers send each other. Everything names the attempt by
 * the number the enumerator gave it, which is the fence of embedded servers.
 */
sealed interface ServiceEvent extends SourceEvent {
    long fence();

    /** Tells every reader to start its server, which begins with this fence. */
    record Start(long fence) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }

    /** Says that a reader's server has started (remote: that the reader has). */
    record Started(long fence, String address) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Tells reader 0 that all servers have started: it creates the tables and loads the initial
     * model.
     *
     * @param restored whether workers go on from a cut of the job's own, in whose place nothing
     *     needs to be loaded
     */
    record Prepare(long fence, List<String> addresses, boolean restored) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Says that reader 0 has prepared the model: workers may begin.
     *
     * @param granted the fence under which they come. Embedded servers know no other than that of
     *     the attempt; remote ones have granted it
     */
    record Prepared(long fence, long granted) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }

    /** Says that all workers are done and reader 0 has saved the model. */
    record Saved(long fence) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }

    /** Says that a reader has failed, and with what error the job fails. */
    record Failed(long fence, ErrorCode code, String reason) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }

    /** Tells every reader to end. */
    record End(long fence) implements ServiceEvent {
        private static final long serialVersionUID = 1L;
    }
}
