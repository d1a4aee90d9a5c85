package io.weir.bench.load.server;

import io.weir.bench.load.node.NodeMain;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The nodes behind the proxies, in one process, as seen from the run: started, told how to behave, and asked what they counted.
 */
public final class Node implements AutoCloseable {

    private static final Pattern READY = Pattern.compile("^node:");

    private final ChildProgram program;
    private final List<Integer> ports;
    private final HttpClient client = HttpClient.newHttpClient();

    private Node(ChildProgram program, List<Integer> ports) {
        this.program = program;
        this.ports = ports;
    }

    /** Starts so many nodes in one process. */
    public static Node start(Workshop workshop, int count) throws IOException {
        List<String> command = workshop.pinning().node(workshop.java(NodeMain.class, Integer.toString(count)));
        ChildProgram program = ChildProgram.awaitLine(command, READY, workshop.file("node.log"));
        List<Integer> ports = Arrays.stream(
                        program.ready().substring("node: ".length()).split(" "))
                .map(Integer::valueOf)
                .toList();
        return new Node(program, ports);
    }

    /** Returns their ports. */
    public List<Integer> ports() {
        return ports;
    }

    /** Its process. */
    public ChildProgram program() {
        return program;
    }

    /**
     * Sets how one of them behaves, such as {@code latency-ms=100} or {@code error=true}; {@code reset=1} forgets what it
     * counted.
     */
    public void set(int index, String query) throws IOException, InterruptedException {
        get(index, "/mode?" + query);
    }

    /** Returns the counters of one of them since its last reset: {@code connections}, {@code requests}, and calls by method. */
    public Map<String, Long> counters(int index) throws IOException, InterruptedException {
        Map<String, Long> counters = new TreeMap<>();
        get(index, "/counters").lines().forEach(line -> {
            int blank = line.indexOf(' ');
            counters.put(line.substring(0, blank), Long.valueOf(line.substring(blank + 1)));
        });
        return counters;
    }

    private String get(int index, String target) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + ports.get(index) + target);
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Override
    public void close() {
        program.close();
    }
}
