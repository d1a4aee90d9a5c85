package io.weir.l2.deploy.proxy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.testing.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A real node with a chain of its own, where its program is on the PATH. Thread-safe. */
final class DevelopmentNode implements AutoCloseable {
    private static final String PROGRAM = "starknet-devnet";
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Pattern READY = Pattern.compile("Devnet listening on");

    private final ChildProcess process;
    private final String url;

    private DevelopmentNode(ChildProcess process, String url) {
        this.process = process;
        this.url = url;
    }

    /** Starts one, or reports the test as skipped where there is none. */
    static DevelopmentNode start(Path folder) {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(one -> Files.isExecutable(Path.of(one).resolve(PROGRAM))),
                "starknet-devnet is not on the PATH: cargo install starknet-devnet --locked");
        int port = freePort();
        ChildProcess process = ChildProcess.start(
                PROGRAM,
                folder,
                Map.of("RUST_LOG", "info"),
                List.of(PROGRAM, "--host", "127.0.0.1", "--port", String.valueOf(port), "--seed", "1"));
        try {
            process.awaitLine(READY, START_TIMEOUT);
            return new DevelopmentNode(process, "http://127.0.0.1:" + port + "/rpc");
        } catch (Error e) {
            process.close();
            throw e;
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return url;
    }

    @Override
    public void close() {
        process.close();
    }
}
