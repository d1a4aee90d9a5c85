package io.weir.testing;

/** A proxy that a test has started, and its addresses. Thread-safe. */
public interface RunningProxy extends AutoCloseable {

    /** The port of its JSON-RPC listener. */
    int port();

    /** The port of its admin listener. */
    int adminPort();

    /** The JSON-RPC address over HTTP of the key {@code demo}. */
    default String url() {
        return "http://127.0.0.1:" + port() + "/v3/demo";
    }

    /** The JSON-RPC address over WebSocket of the key {@code demo}. */
    default String socketUrl() {
        return "ws://127.0.0.1:" + port() + "/ws/v3/demo";
    }

    /** What its admin listener shows. */
    default AdminClient admin() {
        return new AdminClient("http://127.0.0.1:" + adminPort());
    }

    /** Ends it well, and fails if it does not end so or if a buffer was lost. */
    @Override
    void close();
}
