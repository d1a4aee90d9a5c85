package io.weir.bench.subscription.anvil;

import io.weir.bench.load.server.ChildProgram;
import io.weir.bench.subscription.node.NodeEndpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A running anvil that mines on command. Two that get the same calls have the same blocks: it draws what differs from block to block
 * from a sequence that is the same in each process, and its time is set. Thread-safe.
 */
public final class AnvilProcess implements NodeEndpoint, AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern LISTENING = Pattern.compile("Listening on");
    private static final String GENESIS_SECONDS = "1700000000";

    private final ChildProgram program;
    private final HttpClient http;
    private final URI address;
    private volatile boolean killed;

    private AnvilProcess(ChildProgram program, int port) {
        this.program = program;
        this.http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        this.address = URI.create("http://127.0.0.1:" + port + "/");
    }

    /** Starts the program on a port and waits until it listens. */
    public static AnvilProcess start(Path anvil, int port, Path log) throws IOException {
        List<String> command = List.of(
                anvil.toString(),
                "--host=127.0.0.1",
                "--port=" + port,
                "--threads=2",
                "--chain-id=1",
                "--timestamp=" + GENESIS_SECONDS,
                "--no-mining");
        return new AnvilProcess(ChildProgram.awaitLine(command, LISTENING, log), port);
    }

    /**
     * Calls it. If it is stopped, this takes until it goes on.
     *
     * @throws IOException if it was killed
     * @throws IllegalStateException if it answers with an error
     */
    JsonNode call(AnvilCall call) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(call.json()))
                .build();
        JsonNode answer =
                JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
        if (!answer.has("result")) {
            throw new IllegalStateException("anvil: " + answer + " to " + call.json() + " (expected: a result)");
        }
        return answer.get("result");
    }

    @Override
    public int port() {
        return address.getPort();
    }

    @Override
    public String toString() {
        return "anvil";
    }

    /** Returns whether it was not killed. */
    boolean isAlive() {
        return !killed;
    }

    /** Sends a signal, such as STOP, unless it was killed meanwhile. */
    public void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(program.pid()))
                .start()
                .waitFor();
        if (exit != 0 && isAlive()) {
            throw new IOException("kill -" + name + ": exit code " + exit + " (expected: 0)");
        }
    }

    /** Sends SIGKILL. */
    public void kill() {
        killed = true;
        ProcessHandle.of(program.pid()).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Override
    public void close() {
        kill();
        program.close();
    }
}
