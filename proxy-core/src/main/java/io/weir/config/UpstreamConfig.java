package io.weir.config;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One node. Its URL and headers may hold credentials: {@link #toString} shows neither. Immutable.
 *
 * @param id its name in logs, metrics and answers
 * @param url {@code http(s)://…}, or a scheme that a plugin brings; null where there is only a WebSocket
 * @param wsUrl {@code ws(s)://…}, or null where it has none
 * @param prefer which of the two calls go to, where there are both
 * @param weight its share among nodes of the same tier; at least 1
 * @param tier lower is preferred; another tier is asked only where no healthy node is left below
 * @param headers sent with each request
 * @param tags free words
 * @param maxConnections open at once, of all event loops together; at least one per loop is always allowed. Over WebSockets,
 *     of which each loop has one, calls under way at once
 * @param maxQueue calls of one event loop that may wait for a connection
 * @param connectTimeoutMillis of the connection, TLS included
 * @param timeoutMillis of one attempt
 * @param idleMillis after which an unused connection is closed
 * @param maxResponseBytes of one answer
 * @param batch how lookups leave together
 * @param transactions which transactions it finds by their hash
 * @param nullChecks how many of its null answers to such lookups are checked a minute at another node, where that is not known
 */
public record UpstreamConfig(
        String id,
        @Nullable URI url,
        @Nullable URI wsUrl,
        Preference prefer,
        int weight,
        int tier,
        Map<String, String> headers,
        List<String> tags,
        int maxConnections,
        int maxQueue,
        long connectTimeoutMillis,
        long timeoutMillis,
        long idleMillis,
        int maxResponseBytes,
        BatchConfig batch,
        Transactions transactions,
        int nullChecks) {

    /** Which transactions a node finds by their hash. */
    public enum Transactions {
        /** All transactions: its null answers are never checked. */
        ALL,
        /** Only transactions of recent blocks: its null answers are always checked. */
        RECENT,
        /** Not configured: the proxy finds it out by checking null answers. */
        LEARNED
    }

    /** What a node with two URLs is asked over. */
    public enum Preference {
        /** The {@code url}, whatever its scheme. */
        HTTP,
        /** The {@code ws-url}. */
        WS
    }

    /**
     * Where calls go.
     *
     * @throws IllegalStateException when there is no URL, which no configuration that was read has
     */
    public URI address() {
        URI address = wsUrl != null && (url == null || prefer == Preference.WS) ? wsUrl : url;
        if (address == null) {
            throw new IllegalStateException(id + ": no URL (expected: url or ws-url)");
        }
        return address;
    }

    @Override
    public String toString() {
        return "UpstreamConfig[" + id + "]";
    }
}
