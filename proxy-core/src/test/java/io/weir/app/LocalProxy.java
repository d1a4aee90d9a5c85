package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.util.ResourceLeakDetector;
import io.weir.app.start.Proxy;
import io.weir.app.start.Startup;
import io.weir.app.start.StartupException;
import io.weir.testing.RunningProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * The proxy in the test's own JVM. It starts from a configuration file as in a process of its own ({@link
 * io.weir.testing.WeirProcess}), in a tenth of the time. Thread-safe.
 */
public final class LocalProxy implements RunningProxy {

    private final Logger leakLog = (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    private final ListAppender<ILoggingEvent> leaks = new ListAppender<>();
    private final Path configuration;
    private final Proxy proxy;

    private LocalProxy(Path configuration, Proxy proxy) {
        this.configuration = configuration;
        this.proxy = proxy;
        leaks.start();
        leakLog.addAppender(leaks);
    }

    /** Starts the proxy with this configuration. It listens when this method returns. */
    public static LocalProxy start(String configuration) {
        try {
            Path file = Files.writeString(Files.createTempFile("weir-test", ".conf"), configuration);
            return new LocalProxy(file, new Startup(file, null).start());
        } catch (StartupException e) {
            throw new AssertionError(String.join("\n", e.problems()), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int port() {
        return URI.create(proxy.url()).getPort();
    }

    @Override
    public int adminPort() {
        return URI.create(proxy.adminUrl()).getPort();
    }

    /** Ends it. Fails if a collection found a buffer of this proxy, or of an earlier one in this JVM, that nobody released. */
    @Override
    public void close() {
        try {
            proxy.close();
            leakLog.detachAppender(leaks);
            assertThat(List.copyOf(leaks.list))
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .filteredOn(message -> message.contains("LEAK"))
                    .isEmpty();
            Files.deleteIfExists(configuration);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
