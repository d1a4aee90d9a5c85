package io.weir.wallet.page;

import io.weir.api.AdminPage.Request;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cookie that holds a session's secret: no script reads it, and no other site sends it. Immutable. */
final class SessionCookie {

    private static final String NAME = "weir-approver";

    private final String path;

    SessionCookie(String path) {
        this.path = path;
    }

    /** The secret that a request brings, or null. */
    @Nullable
    String secret(Request request) {
        String header = request.header("cookie");
        if (header == null) {
            return null;
        }
        for (String cookie : header.split(";", -1)) {
            String stripped = cookie.strip();
            if (stripped.startsWith(NAME + "=")) {
                return stripped.substring(NAME.length() + 1);
            }
        }
        return null;
    }

    /** Sets it, in answer to a request. */
    Map<String, String> set(String secret, Request request) {
        return header(secret + "; Path=" + path + "; HttpOnly; SameSite=Strict" + secure(request));
    }

    /** Takes it away. */
    Map<String, String> clear(Request request) {
        return header("; Path=" + path + "; HttpOnly; SameSite=Strict; Max-Age=0" + secure(request));
    }

    /** The listener speaks HTTP; where the browser says that it came by HTTPS, the cookie goes no other way. */
    private static String secure(Request request) {
        String origin = request.header("origin");
        return origin != null && origin.startsWith("https://") ? "; Secure" : "";
    }

    private static Map<String, String> header(String value) {
        return Map.of("Set-Cookie", NAME + "=" + value);
    }
}
