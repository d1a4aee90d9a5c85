package io.weir.transport.request;

import org.jspecify.annotations.Nullable;

/**
 * The rejection of a request before it becomes calls. Immutable.
 *
 * @param detail the problem, for the client: fixed text without parts of the request
 */
public record Rejection(Reason reason, String detail) implements Admission {

    /** The reasons for rejections, with their HTTP statuses. The names are label values of a meter. */
    public enum Reason {
        /** Unsupported or unsafe HTTP. Later bytes of the connection cannot be trusted. */
        FRAMING("400 Bad Request", true, null),
        /** Not a proper WebSocket handshake. */
        HANDSHAKE("400 Bad Request", true, null),
        /** A body that does not have its declared encoding. */
        GZIP("400 Bad Request", false, null),
        /** An unknown or missing API key. */
        KEY("401 Unauthorized", false, Reason.CHALLENGE),
        /** Several API keys that differ. */
        KEY_CONFLICT("401 Unauthorized", false, Reason.CHALLENGE),
        /** A key that has expired. */
        KEY_EXPIRED("401 Unauthorized", false, Reason.CHALLENGE),
        /** A key that may not be used from the client's address. */
        KEY_CLIENT("403 Forbidden", false, null),
        /** A key that may not be used by the page. */
        KEY_ORIGIN("403 Forbidden", false, null),
        /** A known key that is not permitted. */
        PERMISSION("403 Forbidden", false, null),
        /** A host that is not served. */
        HOST("403 Forbidden", false, null),
        /** A request of a foreign page. */
        ORIGIN("403 Forbidden", false, null),
        /** An unknown path. */
        PATH("404 Not Found", false, null),
        /** An unknown network. */
        NETWORK("404 Not Found", false, null),
        /** A method other than POST for calls. */
        VERB("405 Method Not Allowed", false, "Allow: POST"),
        /** A method other than GET for a WebSocket. */
        WEBSOCKET_VERB("405 Method Not Allowed", false, "Allow: GET"),
        /** A request that did not arrive completely in time. */
        SLOW("408 Request Timeout", true, null),
        /** Neither a length nor chunks. */
        LENGTH("411 Length Required", false, null),
        /** Larger than allowed. */
        SIZE("413 Content Too Large", true, null),
        /** A type other than JSON. */
        TYPE("415 Unsupported Media Type", false, null),
        /** An unsupported encoding of the body. */
        CODING("415 Unsupported Media Type", false, "Accept-Encoding: gzip"),
        /** A GET without upgrade for a WebSocket. */
        UPGRADE(
                "426 Upgrade Required",
                false,
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"),
        /** A request line or headers larger than allowed. */
        HEADERS("431 Request Header Fields Too Large", true, null),
        /** Too much in flight. */
        OVERLOAD("503 Service Unavailable", false, "Retry-After: 1");

        private static final String CHALLENGE = "WWW-Authenticate: Bearer realm=\"weir\", ApiKey realm=\"weir\"";

        private final String status;
        private final boolean closes;
        private final @Nullable String headers;

        Reason(String status, boolean closes, @Nullable String headers) {
            this.status = status;
            this.closes = closes;
            this.headers = headers;
        }

        public String status() {
            return status;
        }

        /** Returns whether the connection has to close. */
        public boolean closes() {
            return closes;
        }

        /** Returns its header lines without the last line end, or null. */
        public @Nullable String headers() {
            return headers;
        }
    }
}
