package io.weir.app.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The layout of log lines: {@code 2026-11-21T01:50:49.675Z INFO  Proxy: draining}, followed by a failure's stack trace.
 * Thread-safe.
 */
final class LogLine extends LayoutBase<ILoggingEvent> {

    private static final int LEVEL_WIDTH = 5;

    private final DateTimeFormatter time = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT)
            .withZone(ZoneId.systemDefault());

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(128);
        time.formatTo(Instant.ofEpochMilli(event.getTimeStamp()), line);
        String level = event.getLevel().toString();
        line.append(' ').append(level).append(" ".repeat(Math.max(0, LEVEL_WIDTH - level.length())));
        String logger = event.getLoggerName();
        line.append(' ').append(logger, logger.lastIndexOf('.') + 1, logger.length());
        line.append(": ").append(event.getFormattedMessage()).append('\n');
        IThrowableProxy failure = event.getThrowableProxy();
        if (failure != null) {
            line.append(ThrowableProxyUtil.asString(failure));
        }
        return line.toString();
    }
}
