package io.weir.testing;

import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A real node of another make, hardhat, on a free port of 127.0.0.1. Confined to the test's thread. */
public final class HardhatNode implements AutoCloseable {

    /** The chain id that its configuration gives it. */
    public static final String CHAIN_ID = "31337";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Pattern LISTENING = Pattern.compile("server at http://127\\.0\\.0\\.1:(\\d+)/");

    private final ChildProcess process;
    private final int port;

    private HardhatNode(ChildProcess process) {
        this.process = process;
        this.port = Integer.parseInt(process.awaitLine(LISTENING, START_TIMEOUT).group(1));
    }

    /** Starts a node and waits until it listens; where it is not installed, the test is aborted. */
    public static HardhatNode start() {
        Machine.assumeProgram("node", "apt-get install nodejs");
        Path folder = Checkout.find().npm();
        Path program = folder.resolve("node_modules/hardhat/internal/cli/cli.js");
        if (!Files.isRegularFile(program)) {
            return abort("hardhat is not installed: run `npm ci` in proxy-core/src/test/npm");
        }
        List<String> command = List.of(
                "node",
                program.toString(),
                "--config",
                "hardhat.config.cjs",
                "node",
                "--hostname",
                "127.0.0.1",
                "--port",
                "0");
        return new HardhatNode(
                ChildProcess.start("hardhat", folder, Map.of("HARDHAT_DISABLE_TELEMETRY_PROMPT", "true"), command));
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
