package io.weir.transport.http1;

/**
 * The limits of each connection of the JSON-RPC listener. Immutable.
 *
 * @param headerLines header lines and trailer lines of one request together
 * @param headerBytes of all headers of one request together
 * @param requestLineBytes of the request line
 * @param headBytesPerAddress of unfinished request heads, and of heads of waiting pipelined requests, from one address; 0 for no bound
 * @param headMillis until the headers of a request have arrived, or anything on a new connection
 * @param pipelined requests in flight on one HTTP connection, and messages on one WebSocket; at the maximum reading pauses
 * @param calls in flight of one connection; at the maximum reading pauses
 */
public record ListenerLimits(
        int headerLines,
        int headerBytes,
        int requestLineBytes,
        long headBytesPerAddress,
        long headMillis,
        int pipelined,
        int calls) {

    /**
     * The limits of the proxy. Balancers add a dozen lines to those of a client, and a line costs memory however short it is. Common
     * servers take 8 to 16 KiB of headers, and clients keep below that. Keys are the longest part of paths. Thousands of clients behind
     * one address stay far below the bytes of its unfinished heads, and an attacker cannot fill the heap with them. A head is sent in one
     * go: even a slow line takes a second. More requests or calls in flight gain a connection no speed, and would let it fill the event
     * loop.
     */
    public static final ListenerLimits DEFAULT =
            new ListenerLimits(100, 16 << 10, 8 << 10, 8L << 20, 10_000, 64, 1_000);
}
