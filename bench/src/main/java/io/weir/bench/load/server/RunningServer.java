package io.weir.bench.load.server;

import org.jspecify.annotations.Nullable;

/**
 * A server that listens on 127.0.0.1. Thread-safe.
 *
 * @param http where calls go over HTTP
 * @param webSocket where they go over WebSocket; null where they cannot
 * @param adminPort of this proxy; 0 for every other
 * @param program its process; closed with this
 */
public record RunningServer(
        ServerName name, Target http, @Nullable Target webSocket, int adminPort, ChildProgram program)
        implements AutoCloseable {

    /** A port of 127.0.0.1 and a path. */
    public record Target(int port, String path) {

        /** As a URL of HTTP. */
        public String url() {
            return "http://127.0.0.1:" + port + path;
        }
    }

    @Override
    public void close() {
        program.close();
    }
}
