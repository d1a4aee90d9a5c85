package io.weir.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.weir.config.WeirConfig;
import io.weir.config.WeirConfig.LogFormat;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The default log configuration. It writes to standard error, because standard output has the ready line and the output
 * of commands. It yields to {@code -Dlogback.configurationFile} and to a {@code logback-test.xml} or {@code
 * logback.xml} on the class path. It is code, because reading it from a file would take a tenth of the start-up time.
 * Confined to the thread that logs first; level and format are set once, before other threads log.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {

    private static final String APPENDER = "weir-stderr";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty("logback.configurationFile") != null
                || isThere("logback-test.xml")
                || isThere("logback.xml")) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName(APPENDER);
        appender.setTarget("System.err");
        appender.setEncoder(text(context));
        appender.start();
        context.getLogger("io.netty").setLevel(Level.WARN);
        // It warns of frames that clients send.
        context.getLogger("io.netty.handler.codec.http2").setLevel(Level.ERROR);
        // Nor is an error worth a line that ends each connection with data beyond its window: it is counted.
        context.getLogger("io.netty.handler.codec.http2.DefaultHttp2Connection").setLevel(Level.OFF);
        context.getLogger("org.pf4j").setLevel(Level.WARN);
        // The tier logs its connections itself, without credentials that an address may contain.
        context.getLogger("io.lettuce").setLevel(Level.OFF);
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.INFO);
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static Encoder<ILoggingEvent> text(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: %msg%n");
        encoder.start();
        return encoder;
    }

    /** Gives all later lines the level and format of the configuration. Does nothing if a file configures logback. */
    public static void apply(WeirConfig config) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(APPENDER)
                        instanceof ConsoleAppender<ILoggingEvent> appender) {
            context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.convertAnSLF4JLevel(config.logLevel()));
            if (config.log() == LogFormat.JSON && appender.getEncoder() instanceof PatternLayoutEncoder) {
                appender.setEncoder(JsonLines.encoder(context));
            }
        }
    }

    private static boolean isThere(String resource) {
        return LogSetup.class.getClassLoader().getResource(resource) != null;
    }
}
