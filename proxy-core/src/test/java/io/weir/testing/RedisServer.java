package io.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The system's {@code redis-server} on a free port, which keeps nothing on disk. Confined to one thread. */
public final class RedisServer implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Pattern READY = Pattern.compile("Ready to accept connections");

    private final int port;
    private final String password;
    private final Path folder;
    private ChildProcess process;

    private RedisServer(int port, String password) throws IOException {
        this.port = port;
        this.password = password;
        this.folder = Files.createTempDirectory("weir-redis");
        this.process = launch();
    }

    /** Starts one that wants a password, or skips the test where there is no program for it. */
    public static RedisServer start(String password) {
        Machine.assumeProgram("redis-server", "apt-get install redis-server");
        try {
            return new RedisServer(FreePorts.next(), password);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ChildProcess launch() {
        ChildProcess started = ChildProcess.start(
                "redis-server",
                folder,
                Map.of(),
                List.of(
                        "redis-server",
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--requirepass",
                        password,
                        "--save",
                        "",
                        "--appendonly",
                        "no",
                        "--daemonize",
                        "no"));
        try {
            started.awaitLine(READY, START_TIMEOUT);
        } catch (Error e) {
            started.close();
            throw e;
        }
        return started;
    }

    /** Where it listens, on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Ends it at once, with all that it holds. */
    public void kill() {
        process.kill();
    }

    /** Makes it hang. */
    public void suspend() {
        process.suspend();
    }

    /** Makes it go on. */
    public void resume() {
        process.resume();
    }

    /** Starts it anew on the same port, empty. */
    public void restart() {
        process = launch();
    }

    @Override
    public void close() {
        process.close();
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
