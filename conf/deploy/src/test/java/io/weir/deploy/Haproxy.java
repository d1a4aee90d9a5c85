package io.weir.deploy;

import io.weir.testing.Checkout;
import io.weir.testing.ChildProcess;
import io.weir.testing.FreePorts;
import io.weir.testing.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** HAProxy with the example's file, at free ports and with quicker checks. Confined to one thread. */
final class Haproxy implements AutoCloseable {

    private static final Path EXAMPLE = Checkout.find().root().resolve("conf/deploy/haproxy.cfg");

    private final ChildProcess process;
    private final int port;

    private Haproxy(ChildProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Returns its program, or skips the test where there is none. */
    static String program() {
        // Servers are often outside of the PATH.
        Path file = Path.of("/usr/sbin/haproxy");
        if (!Files.isExecutable(file)) {
            Machine.assumeProgram("haproxy", "apt-get install haproxy");
        }
        return Files.isExecutable(file) ? file.toString() : "haproxy";
    }

    /** Returns the file of the example. */
    static String example() throws IOException {
        return Files.readString(EXAMPLE);
    }

    /** Returns the settings of the proxies, which the example has in its comments. */
    static String settings() throws IOException {
        return example()
                .lines()
                .filter(line -> line.startsWith("#   "))
                .map(line -> line.substring(4))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /**
     * Starts it.
     *
     * @param text the example, or a variant of it
     * @param first the port of the one proxy
     * @param second the port of the other one
     */
    static Haproxy start(Path folder, String text, int first, int second) throws IOException {
        int port = FreePorts.next();
        String file = text.replace("bind :8545", "bind 127.0.0.1:" + port)
                .replace("10.0.0.11:8545", "127.0.0.1:" + first)
                .replace("10.0.0.12:8545", "127.0.0.1:" + second)
                .replace("inter 2s", "inter 200ms");
        Path written = Files.writeString(Files.createTempFile(folder, "haproxy", ".cfg"), file);
        ChildProcess process =
                ChildProcess.start("haproxy", folder, Map.of(), List.of(program(), "-db", "-f", written.toString()));
        return new Haproxy(process, port);
    }

    /** The JSON-RPC address of the key {@code demo}. */
    String url() {
        return "http://127.0.0.1:" + port + "/v3/demo";
    }

    /** Waits until it says that a server, written as {@code backend/server}, is up or down. */
    void awaitServer(String server, String state) {
        process.awaitLine(Pattern.compile("Server " + server + " is " + state), Unpacked.PATIENCE);
    }

    /** The process, for its output. */
    ChildProcess process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }
}
