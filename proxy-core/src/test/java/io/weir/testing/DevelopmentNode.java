package io.weir.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A real development node of the layer-2 network, with a chain of its own. Thread-safe. */
public final class DevelopmentNode implements AutoCloseable {

    private static final String PROGRAM = "starknet-devnet";

    /** Names the program if it is not on the PATH. */
    private static final String VARIABLE = "WEIR_STARKNET_DEVNET";

    private static final Pattern READY = Pattern.compile("(?i)listening on");

    private final ChildProcess process;
    private final String url;

    private DevelopmentNode(ChildProcess process, String url) {
        this.process = process;
        this.url = url;
    }

    /** Starts a node that keeps the state of its newest block alone. Reports the test as skipped if the program is missing. */
    public static DevelopmentNode start(Path folder) {
        return start(folder, "none");
    }

    /** Starts a node that keeps the state of all blocks. */
    public static DevelopmentNode startArchive(Path folder) {
        return start(folder, "full");
    }

    private static DevelopmentNode start(Path folder, String archive) {
        String program = Machine.program(PROGRAM, VARIABLE, "bin/" + PROGRAM);
        String port = String.valueOf(FreePorts.next());
        ChildProcess process = ChildProcess.start(
                PROGRAM,
                folder,
                Map.of("RUST_LOG", "info"),
                List.of(
                        program,
                        "--host",
                        "127.0.0.1",
                        "--port",
                        port,
                        "--seed",
                        "1",
                        "--state-archive-capacity",
                        archive));
        try {
            process.awaitLine(READY, Duration.ofSeconds(60));
            return new DevelopmentNode(process, "http://127.0.0.1:" + port + "/rpc");
        } catch (Error e) {
            process.close();
            throw e;
        }
    }

    /** Returns the address of its JSON-RPC. */
    public String url() {
        return url;
    }

    @Override
    public void close() {
        process.close();
    }
}
