package io.weir.transport.http1;

/**
 * The limits of each connection of the JSON-RPC listener. Immutable.
 *
 * @param headerLines header lines and trailer lines of one request together
 * @param requestLineBytes of the request line
 * @param pipelined requests in flight on one HTTP connection, and messages on one WebSocket; at the maximum reading pauses
 * @param calls in flight of one connection; at the maximum reading pauses
 */
public record ListenerLimits(int headerLines, int requestLineBytes, int pipelined, int calls) {

    /**
     * The limits of the proxy. Balancers add a dozen lines to those of a client, and a line costs memory however short it is. Keys are the
     * longest part of paths. More requests or calls in flight gain a connection no speed, and would let it fill the event loop.
     */
    public static final ListenerLimits DEFAULT = new ListenerLimits(100, 8 << 10, 64, 1_000);
}
