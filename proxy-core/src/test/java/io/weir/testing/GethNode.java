package io.weir.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A real node of another make, geth with {@code --dev}, on a free port of 127.0.0.1. It answers a transaction before it has mined it.
 * Confined to the test's thread.
 */
public final class GethNode implements AutoCloseable {

    /** The chain id of every such node. */
    public static final String CHAIN_ID = "1337";

    /** Names the program if it is not on the PATH. */
    private static final String VARIABLE = "WEIR_GETH";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Pattern LISTENING = Pattern.compile("HTTP server started .*endpoint=127\\.0\\.0\\.1:(\\d+)");

    private final ChildProcess process;
    private final int port;

    private GethNode(ChildProcess process) {
        this.process = process;
        this.port = Integer.parseInt(
                process.awaitErrorLine(LISTENING, START_TIMEOUT).group(1));
    }

    /** Starts a node and waits until it listens; where it is not installed, the test is aborted. */
    public static GethNode start(String... options) {
        List<String> command = new ArrayList<>();
        command.add(Machine.program("geth", VARIABLE, "bin/geth"));
        command.addAll(List.of("--dev", "--ipcdisable", "--nodiscover", "--port", "0"));
        command.addAll(List.of("--http", "--http.addr", "127.0.0.1", "--http.port", "0"));
        command.addAll(List.of(options));
        return new GethNode(
                ChildProcess.start("geth", Path.of(System.getProperty("java.io.tmpdir")), Map.of(), command));
    }

    /** Its address. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.close();
    }
}
