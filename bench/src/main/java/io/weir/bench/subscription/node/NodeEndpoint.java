package io.weir.bench.subscription.node;

/** Address of a node. Its text is the name of the node. Thread-safe. */
public interface NodeEndpoint {

    /** Returns its port on 127.0.0.1. */
    int port();

    /** Returns the path of its WebSocket. */
    default String socketPath() {
        return "/";
    }
}
