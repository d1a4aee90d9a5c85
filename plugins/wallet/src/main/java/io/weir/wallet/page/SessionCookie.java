package io.weir.wallet.page;

import io.weir.api.AdminPage.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The cookie that holds a session's secret. No script reads it, and no other site sends it. Browsers send cookies to every port of a
 * host. A server on another port gets this one only at the session's own path, which it cannot guess. Immutable.
 */
final class SessionCookie {

    private static final String NAME = "weir-approver";

    private SessionCookie() {}

    /** Returns all secrets of a request, because other servers of the host can set cookies of the same name. */
    static List<String> secrets(Request request) {
        String header = request.header("cookie");
        return Stream.of(header == null ? new String[0] : header.split(";", -1))
                .map(String::strip)
                .filter(cookie -> cookie.startsWith(NAME + "="))
                .map(cookie -> cookie.substring(NAME.length() + 1))
                .toList();
    }

    /**
     * Returns the header that sets it, in answer to a request.
     *
     * @param path the session's
     * @param life how long the browser keeps it; zero takes it away
     */
    static Map<String, String> set(String secret, String path, Duration life, Request request) {
        String origin = request.header("origin");
        // The listener speaks HTTP. A browser that came by HTTPS sends the cookie no other way.
        String secure = origin != null && origin.startsWith("https://") ? "; Secure" : "";
        String attributes = "; HttpOnly; SameSite=Strict; Max-Age=" + life.toSeconds() + secure;
        return Map.of("Set-Cookie", NAME + "=" + secret + "; Path=" + path + attributes);
    }
}
