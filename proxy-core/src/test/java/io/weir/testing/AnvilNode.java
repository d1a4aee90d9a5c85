package io.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A real node, anvil, on a free port of 127.0.0.1. Two that were started with the same {@code --timestamp} have the same
 * genesis. Confined to the test's thread.
 */
public final class AnvilNode implements AutoCloseable {

    /** The chain id of every anvil that forks nothing. */
    public static final String CHAIN_ID = "31337";

    /** The first of the accounts that anvil fills with 10000 ether. */
    public static final String RICH_ACCOUNT = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Pattern LISTENING = Pattern.compile("Listening on 127\\.0\\.0\\.1:(\\d+)");

    private final List<String> options;
    private ChildProcess process;
    private int port;

    private AnvilNode(List<String> options) {
        this.options = options;
        this.process = launch(0);
        this.port = awaitPort();
    }

    /** Starts a node and waits until it listens; where it is not installed, the test is aborted. */
    public static AnvilNode start(String... options) {
        return new AnvilNode(List.of(options));
    }

    /** Its port. */
    public int port() {
        return port;
    }

    /** Its address. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Sends SIGKILL and waits for the end. */
    public void kill() {
        process.kill();
    }

    /** Starts it again after its end, with the same options on the same port. */
    public void restart() {
        assertThat(process.alive()).as("anvil runs").isFalse();
        process = launch(port);
        assertThat(awaitPort()).isEqualTo(port);
    }

    @Override
    public void close() {
        process.close();
    }

    private ChildProcess launch(int onPort) {
        List<String> command = new ArrayList<>();
        command.add(program().toString());
        command.addAll(List.of("--host", "127.0.0.1", "--port", Integer.toString(onPort), "--threads", "2"));
        command.addAll(options);
        return ChildProcess.start("anvil", Checkout.find().npm(), Map.of(), command);
    }

    private int awaitPort() {
        return Integer.parseInt(process.awaitLine(LISTENING, START_TIMEOUT).group(1));
    }

    /** The program in the package for this platform; npm installs no other. Where it is not installed, the test is aborted. */
    public static Path program() {
        Path packages = Checkout.find().npm().resolve("node_modules/@foundry-rs");
        if (Files.isDirectory(packages)) {
            try (DirectoryStream<Path> platforms = Files.newDirectoryStream(packages, "anvil-*")) {
                for (Path platform : platforms) {
                    Path program = platform.resolve("bin/anvil");
                    if (Files.isExecutable(program)) {
                        return program;
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return abort("anvil is not installed: run `npm ci` in proxy-core/src/test/npm");
    }
}
