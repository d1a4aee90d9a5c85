package io.weir.api;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A page under the admin listener at {@code /plugins/<plugin id>/<path>}. The proxy refuses requests whose {@code Host} or {@code
 * Origin} is foreign. The page itself checks who may POST, with a credential of the plugin's own. Thread-safe.
 */
public interface AdminPage {

    /** The path below the plugin's own, without a slash at either end; empty for the plugin's first page. */
    String path();

    /** The text of a link to this page on the status page, such as {@code Approvals: 2 wait}; null for no link. Returns at once. */
    default @Nullable String link() {
        return null;
    }

    /** Answers a request. Runs on the plugin executor and may block. */
    CompletionStage<Response> handle(Request request);

    /**
     * A request for a page.
     *
     * @param method {@code GET} or {@code POST}
     * @param subPath what follows the page's path, without a leading slash
     * @param query the query's parameters, the last of each name
     * @param headers the request's headers by lower-case name, the last of each name
     * @param body the body; empty for GET
     * @param peer the address that the connection comes from: behind a TLS proxy or a tunnel theirs, for all readers alike, because
     *     the admin listener believes no forwarding headers
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed over, not compared.
    record Request(
            String method,
            String subPath,
            Map<String, String> query,
            Map<String, String> headers,
            byte[] body,
            InetAddress peer) {
        /** A header's value, or null where there is none. */
        public @Nullable String header(String lowerCaseName) {
            return headers.get(lowerCaseName);
        }
    }

    /**
     * The answer of a page.
     *
     * @param status the HTTP status
     * @param contentType the media type of the body
     * @param headers further headers
     * @param body the body
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed over, not compared.
    record Response(int status, String contentType, Map<String, String> headers, byte[] body) {}
}
