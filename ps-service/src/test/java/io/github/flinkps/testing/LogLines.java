package io.github.flinkps.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** Keeps what a logger says until it is closed, and lets nobody else see it. Thread-safe. */
public final class LogLines implements AutoCloseable {
    private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
    private final Lines lines = new Lines();
    private final String logger;

    /** Collects the lines. */
    private static final class Lines extends AbstractAppender {
        private final List<String> said = new CopyOnWriteArrayList<>();

        Lines() {
            super("lines", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            said.add(event.getMessage().getFormattedMessage());
        }
    }

    private LogLines(String logger, Level level) {
        this.logger = logger;
        lines.start();
        LoggerConfig config = new LoggerConfig(logger, level, false);
        config.addAppender(lines, level, null);
        context.getConfiguration().addLogger(logger, config);
        context.updateLoggers();
    }

    /** Begins to keep what a logger says, from a level on. */
    public static LogLines of(String logger, Level level) {
        return new LogLines(logger, level);
    }

    /** Begins to keep the warnings of a package, or of a class by its full name. */
    public static LogLines warnings(String logger) {
        return new LogLines(logger, Level.WARN);
    }

    /** Returns what has been said up to now. */
    public List<String> said() {
        return List.copyOf(lines.said);
    }

    @Override
    public void close() {
        context.getConfiguration().removeLogger(logger);
        context.updateLoggers();
        lines.stop();
    }
}
