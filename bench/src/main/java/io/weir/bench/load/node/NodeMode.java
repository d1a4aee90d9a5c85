package io.weir.bench.load.node;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** How one node behaves, and what it has counted. Confined to its event loop. */
final class NodeMode {

    private final Map<String, AtomicLong> calls = new TreeMap<>();
    private long connections;
    private long requests;
    private long latencyMillis;
    private boolean failing;

    /** How long each answer is held back. */
    long latencyMillis() {
        return latencyMillis;
    }

    /** Whether each request gets status 500. */
    boolean isFailing() {
        return failing;
    }

    void connected() {
        connections++;
    }

    void requested() {
        requests++;
    }

    void called(String method) {
        calls.computeIfAbsent(method, name -> new AtomicLong()).incrementAndGet();
    }

    /** Sets what a query names: {@code latency-ms}, {@code error}, {@code reset}. */
    void set(Map<String, String> query) {
        latencyMillis = Long.parseLong(query.getOrDefault("latency-ms", Long.toString(latencyMillis)));
        failing = Boolean.parseBoolean(query.getOrDefault("error", Boolean.toString(failing)));
        if (query.containsKey("reset")) {
            calls.clear();
            connections = 0;
            requests = 0;
        }
    }

    /** One line for each counter: name, blank, value. */
    String counters() {
        StringBuilder text = new StringBuilder();
        text.append("connections ").append(connections).append('\n');
        text.append("requests ").append(requests).append('\n');
        calls.forEach(
                (method, count) -> text.append(method).append(' ').append(count).append('\n'));
        return text.toString();
    }
}
