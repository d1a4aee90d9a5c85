package io.weir.transport.entry;

import org.jspecify.annotations.Nullable;

/**
 * A request that is turned away before it becomes calls. Immutable.
 *
 * @param detail what is wrong, for the client to read: fixed text that repeats nothing of the request
 */
public record Rejection(Reason reason, String detail) implements Admission {

    /** Why requests are turned away, and what HTTP calls it. The names are label values of a meter. */
    public enum Reason {
        /** Not HTTP that can be served; what follows on the connection cannot be trusted. */
        FRAMING("400 Bad Request", true, null),
        /** No proper WebSocket handshake. */
        HANDSHAKE("400 Bad Request", true, null),
        /** A body that is not in the coding that it claims to be in. */
        GZIP("400 Bad Request", false, null),
        /** Unknown or missing API key. */
        KEY("401 Unauthorized", false, "WWW-Authenticate: ApiKey realm=\"weir\""),
        /** Known key, not permitted. */
        PERMISSION("403 Forbidden", false, null),
        /** Sent to a host that is not served. */
        HOST("403 Forbidden", false, null),
        /** Sent by a foreign page. */
        ORIGIN("403 Forbidden", false, null),
        /** No such path. */
        PATH("404 Not Found", false, null),
        /** No such network. */
        NETWORK("404 Not Found", false, null),
        /** Not POST where calls are posted. */
        VERB("405 Method Not Allowed", false, "Allow: POST"),
        /** Not GET where WebSockets begin. */
        WEBSOCKET_VERB("405 Method Not Allowed", false, "Allow: GET"),
        /** Did not arrive whole in time. */
        SLOW("408 Request Timeout", true, null),
        /** Neither length nor chunks. */
        LENGTH("411 Length Required", false, null),
        /** Larger than allowed. */
        SIZE("413 Content Too Large", true, null),
        /** No JSON by its type. */
        TYPE("415 Unsupported Media Type", false, null),
        /** A coding of the body that is not understood. */
        CODING("415 Unsupported Media Type", false, "Accept-Encoding: gzip"),
        /** GET without upgrade where WebSockets begin. */
        UPGRADE(
                "426 Upgrade Required",
                false,
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"),
        /** Request line or headers larger than allowed. */
        HEADERS("431 Request Header Fields Too Large", true, null),
        /** Too much is in flight. */
        OVERLOAD("503 Service Unavailable", false, "Retry-After: 1");

        private final String status;
        private final boolean closes;
        private final @Nullable String headers;

        Reason(String status, boolean closes, @Nullable String headers) {
            this.status = status;
            this.closes = closes;
            this.headers = headers;
        }

        /** Status code and phrase. */
        public String status() {
            return status;
        }

        /** Whether the connection cannot be used any more. */
        public boolean closes() {
            return closes;
        }

        /** Header lines that belong to it, without the last line end, or null. */
        public @Nullable String headers() {
            return headers;
        }
    }
}
