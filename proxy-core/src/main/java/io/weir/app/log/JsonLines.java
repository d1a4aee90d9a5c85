package io.weir.app.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import net.logstash.logback.encoder.LogstashEncoder;
import net.logstash.logback.fieldnames.LogstashCommonFieldNames;
import net.logstash.logback.fieldnames.LogstashFieldNames;

/**
 * Log lines that are JSON objects. Time and name of it are those of the access log, so that both fit in one index. Loaded only if the
 * configuration asks for it.
 */
final class JsonLines {

    private JsonLines() {}

    static Encoder<ILoggingEvent> encoder(LoggerContext context) {
        LogstashFieldNames names = new LogstashFieldNames();
        names.setTimestamp("time");
        names.setVersion(LogstashCommonFieldNames.IGNORE_FIELD_INDICATOR);
        names.setLogger("logger");
        names.setThread("thread");
        names.setLevelValue(LogstashCommonFieldNames.IGNORE_FIELD_INDICATOR);
        names.setStackTrace("exception");
        LogstashEncoder encoder = new LogstashEncoder();
        encoder.setContext(context);
        encoder.setFieldNames(names);
        encoder.setTimestampPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
        encoder.setTimeZone("UTC");
        encoder.start();
        return encoder;
    }
}
