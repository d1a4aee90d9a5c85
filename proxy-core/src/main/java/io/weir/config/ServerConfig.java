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
 * @param maxHeaderLines header lines and trailer lines of one request together
 * @param maxRequestLineBytes of the request line
 * @param maxFrameBytes of one WebSocket frame
 * @param maxConnections open at once; over it new ones are closed
 * @param maxPipelined requests in flight on one HTTP connection, and messages on one WebSocket; over it reading pauses
 * @param idleMillis without traffic after which a connection is closed
 * @param writeTimeoutMillis after which a client that takes none of its answers is cut
 * @param headerTimeoutMillis within which the headers of a request must have arrived, and the first byte of a connection
 * @param requestTimeoutMillis within which a request or a WebSocket message must have arrived whole
 * @param callTimeoutMillis within which a call is answered
 * @param drainMillis within which calls in flight are answered at the end
 * @param load what may be in flight
 * @param cors which pages of browsers may read answers
 * @param trustedProxies whose word for a client's address is taken
 * @param hosts that the listener answers to, beside its own names and addresses: names, addresses, blocks of them, or {@code *}
 */
public record ServerConfig(
        String host,
        int port,
        int threads,
        Transport transport,
        int maxBodyBytes,
        int maxBatch,
        int maxHeaderBytes,
        int maxHeaderLines,
        int maxRequestLineBytes,
        int maxFrameBytes,
        int maxConnections,
        int maxPipelined,
        long idleMillis,
        long writeTimeoutMillis,
        long headerTimeoutMillis,
        long requestTimeoutMillis,
        long callTimeoutMillis,
        long drainMillis,
        Load load,
        Cors cors,
        Compression compression,
        List<AddressBlock> trustedProxies,
        AccessLog accessLog,
        Set<String> hosts) {

    /**
     * Whether answers are packed with gzip for clients that take it. Immutable.
     *
     * @param minBytes from which on
     * @param level 1 for the least work, 9 for the smallest answers
     */
    public record Compression(boolean enabled, int minBytes, int level) {}

    /**
     * Where a line is written for each request and each message of a WebSocket. Immutable.
     *
     * @param file or null for nowhere
     * @param queue lines that may wait to be written
     */
    public record AccessLog(@Nullable Path file, int queue) {}

    /**
     * Which pages of browsers may send calls and read answers. Immutable.
     *
     * @param origins as browsers send them, or {@code *} for every page; empty for none
     * @param maxAgeMillis for which browsers may remember it
     */
    public record Cors(Set<String> origins, long maxAgeMillis) {}

    /**
     * What may be in flight at once. Immutable.
     *
     * @param bytes of requests and answers in all
     * @param calls in all
     * @param callsPerConnection of one connection; over it reading pauses
     * @param connectionsPerAddress open at once from one address; 0 for no bound
     * @param headBytesPerAddress of unfinished request heads from one address; 0 for no bound
     */
    public record Load(
            long bytes, int calls, int callsPerConnection, int connectionsPerAddress, long headBytesPerAddress) {}

    /** The system's way of waiting for sockets. */
    public enum Transport {
        /** epoll where there is, else NIO. */
        AUTO,
        /** epoll. */
        EPOLL,
        /** NIO. */
        NIO
    }
}
