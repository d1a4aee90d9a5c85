package io.weir.config;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One node. Its URL and headers may contain credentials, so {@link #toString} shows neither. Immutable.
 *
 * @param id its name in logs, metrics and answers
 * @param url {@code http(s)://…}, or a scheme of a plugin; null if the node has only a WebSocket
 * @param wsUrl {@code ws(s)://…}, or null if it has none
 * @param prefer the URL for calls if both are set
 * @param subscribe whether the node may announce new blocks over {@code wsUrl}
 * @param weight its share among nodes of the same tier; at least 1
 * @param tier lower is preferred; a higher tier is used only if no lower one has a healthy node
 * @param headers sent with each request
 * @param tags arbitrary words
 * @param maxConnections open at once, of all event loops together, but at least one per loop. A loop has one WebSocket,
 *     for which this limits the calls in flight
 * @param connectTimeoutMillis of the connection, including TLS
 * @param timeoutMillis of one attempt
 * @param idleMillis time after which an unused connection is closed
 * @param maxResponseBytes of one answer
 * @param streamFrom larger answers go on to the client while they arrive, if possible; {@link Integer#MAX_VALUE} if none do
 * @param gzip whether it is asked over HTTP for answers in gzip
 * @param batch the batching of lookups
 * @param serves the methods and the data that it serves
 * @param transactions the transactions that it finds by hash
 * @param nullChecks null answers to such lookups that are checked with another node per minute, if {@code transactions}
 *     is not configured
 * @param budget the units of its provider that it may cost
 * @param tls the checks of its certificate, and the proxy's own
 */
public record UpstreamConfig(
        String id,
        @Nullable URI url,
        @Nullable URI wsUrl,
        Preference prefer,
        boolean subscribe,
        int weight,
        int tier,
        Map<String, String> headers,
        List<String> tags,
        int maxConnections,
        long connectTimeoutMillis,
        long timeoutMillis,
        long idleMillis,
        int maxResponseBytes,
        int streamFrom,
        boolean gzip,
        BatchConfig batch,
        ServedData serves,
        Transactions transactions,
        int nullChecks,
        BudgetConfig budget,
        UpstreamTlsConfig tls) {

    private static final Set<String> SECURED = Set.of("https", "wss");

    /** The transactions that a node finds by hash. */
    public enum Transactions {
        /** All transactions: its null answers are never checked. */
        ALL,
        /** Only transactions of recent blocks: its null answers are always checked. */
        RECENT,
        /** Not configured: the proxy finds it out by checking null answers. */
        LEARNED
    }

    /** The URL for calls to a node with two URLs. */
    public enum Preference {
        /** The {@code url}, whatever its scheme. */
        HTTP,
        /** The {@code ws-url}. */
        WS
    }

    /**
     * Returns the URL for calls.
     *
     * @throws IllegalStateException if there is no URL, which a loaded configuration never lacks
     */
    public URI address() {
        URI address = wsUrl != null && (url == null || prefer == Preference.WS) ? wsUrl : url;
        if (address == null) {
            throw new IllegalStateException(id + ": no URL (expected: url or ws-url)");
        }
        return address;
    }

    /** Returns whether one of its URLs asks for TLS. */
    public boolean usesTls() {
        return isSecured(url) || isSecured(wsUrl);
    }

    /** Returns whether a URL asks for TLS. */
    public static boolean isSecured(@Nullable URI url) {
        return url != null && SECURED.contains(url.getScheme().toLowerCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return "UpstreamConfig[" + id + "]";
    }
}
