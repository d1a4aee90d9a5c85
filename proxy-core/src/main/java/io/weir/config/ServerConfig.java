package io.weir.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The JSON-RPC listener and its bounds. Immutable.
 *
 * @param port 0 for any free port
 * @param threads event loops; 0 for one per processor
 * @param transport {@code auto}, {@code epoll} or {@code nio}
 * @param maxBodyBytes of one HTTP body or one WebSocket message
 * @param maxBatch calls in one batch
 * @param maxHeaderBytes of all headers of one request together
 * @param maxConnections open at once; more are closed on arrival
 * @param idleMillis time without traffic after which a connection is closed
 * @param writeTimeoutMillis time after which a client that reads none of its answers is disconnected
 * @param headerTimeoutMillis time limit for the first byte of a connection, and for the headers of a request
 * @param requestTimeoutMillis time limit for a whole request or WebSocket message
 * @param callTimeoutMillis time limit for the answer to a call
 * @param drainMillis time limit for the calls in flight at shutdown
 * @param drainDelayMillis time at shutdown in which health checks fail and requests are still served
 * @param healthPath path of health checks on this listener; null for none
 * @param load bounds on work in flight
 * @param cors browser pages that may read answers
 * @param compression whether answers are packed with gzip for clients that accept it
 * @param trustedProxies proxies whose forwarding headers are trusted for the client's address
 * @param accessLog file with a line for each request and each WebSocket message; null for none
 * @param hosts served hosts in addition to its own names and addresses: names, addresses, address blocks, or {@code *}
 * @param data folder of the proxy's own records; null if it keeps none over a restart
 * @param tls its certificates
 * @param http2 whether it speaks HTTP/2
 */
public record ServerConfig(
        String host,
        int port,
        int threads,
        Transport transport,
        int maxBodyBytes,
        int maxBatch,
        int maxHeaderBytes,
        int maxConnections,
        long idleMillis,
        long writeTimeoutMillis,
        long headerTimeoutMillis,
        long requestTimeoutMillis,
        long callTimeoutMillis,
        long drainMillis,
        long drainDelayMillis,
        @Nullable String healthPath,
        Load load,
        Cors cors,
        boolean compression,
        List<AddressBlock> trustedProxies,
        @Nullable Path accessLog,
        Set<String> hosts,
        @Nullable Path data,
        TlsConfig tls,
        boolean http2) {

    /**
     * The browser pages that may send calls and read answers. Immutable.
     *
     * @param origins as browsers send them, or {@code *} for every page; empty for none
     * @param headers the names of further request headers that pages may send
     */
    public record Cors(Set<String> origins, List<String> headers) {}

    /**
     * Bounds on work in flight. Immutable.
     *
     * @param bytes of all requests and answers
     * @param calls in total
     * @param streams results that go on to their clients while they arrive; 0 for none
     * @param connectionsPerAddress open at once from one address; 0 for no bound
     * @param headBytesPerAddress of unfinished request heads from one address; 0 for no bound
     */
    public record Load(long bytes, int calls, int streams, int connectionsPerAddress, long headBytesPerAddress) {}

    /** The system interface for sockets. */
    public enum Transport {
        /** epoll if available, else NIO. */
        AUTO,
        /** epoll. */
        EPOLL,
        /** NIO. */
        NIO
    }
}
