package io.weir.bench.restart;

import io.weir.bench.load.server.ChildProgram;
import io.weir.bench.load.server.Ports;
import io.weir.bench.load.server.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * HAProxy in front of proxies. It asks each for its health ten times a second, and repeats no call. On one port it speaks HTTP/1.1; on
 * the other it passes bytes on, so that clients over HTTP/2 hear from the proxy itself that it goes away. Thread-safe.
 */
final class Balancer implements AutoCloseable {

    @SuppressWarnings("InlineFormatString") // A file of its own, which reads better alone.
    private static final String CONFIGURATION = """
            global
              maxconn 4096
              log stdout format raw local0 err
            defaults
              log global
              retries 0
              timeout connect 2s
              timeout check 5s
              timeout client 60s
              timeout server 60s
              timeout tunnel 1h
            frontend clients
              mode http
              bind 127.0.0.1:%d backlog 4096
              default_backend proxies
            backend proxies
              mode http
              balance roundrobin
              option httpchk GET /health
              default-server check inter 100ms fall 1 rise 1
            %s
            frontend streams
              mode tcp
              bind 127.0.0.1:%d backlog 4096
              timeout client 1h
              default_backend stream-proxies
            backend stream-proxies
              mode tcp
              balance roundrobin
              option httpchk GET /health
              default-server check inter 100ms fall 1 rise 1
              timeout server 1h
            %s
            """;

    private final ChildProgram program;
    private final int port;
    private final int streamPort;
    private final Path log;

    private Balancer(ChildProgram program, int port, int streamPort, Path log) {
        this.program = program;
        this.port = port;
        this.streamPort = streamPort;
        this.log = log;
    }

    /** Starts it. The proxies need not listen yet. */
    static Balancer start(String haproxy, List<Integer> proxies) throws IOException {
        int port = Ports.free();
        int streamPort = Ports.free();
        Path folder = Files.createTempDirectory("weir-balancer");
        String servers = proxies.stream()
                .map(proxy -> "  server proxy-" + proxy + " 127.0.0.1:" + proxy)
                .collect(Collectors.joining("\n"));
        Path file = Files.writeString(
                folder.resolve("haproxy.cfg"), CONFIGURATION.formatted(port, servers, streamPort, servers));
        Path log = folder.resolve("haproxy.log");
        List<String> command = List.of(haproxy, "-db", "-f", file.toString());
        return new Balancer(ChildProgram.start(command, log), port, streamPort, log);
    }

    /** Returns the file of HAProxy; empty if it is not there. */
    static String program() {
        return Tool.HAPROXY.path();
    }

    /** Returns the port for HTTP/1.1 and WebSocket. */
    int port() {
        return port;
    }

    /** Returns the port for HTTP/2. */
    int streamPort() {
        return streamPort;
    }

    /** Returns the file that names each proxy that fails its health check. */
    Path log() {
        return log;
    }

    @Override
    public void close() {
        program.close();
    }
}
