package io.weir.wallet.page;

import io.weir.api.AdminPage.Response;
import java.util.HashMap;
import java.util.Map;

/** The page's answers, each with what the browser must not do with it. Immutable. */
final class Answers {

    /** No script at all, and nothing from elsewhere: what slips into the page stays text without effect. */
    private static final String POLICY =
            "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final String POLICY_NAME = "Content-Security-Policy";

    private static final Map<String, String> GUARDS = Map.of(
            POLICY_NAME,
            POLICY,
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY",
            // With no-referrer a browser would hide the Origin of a form, too, and the listener refuse it.
            "Referrer-Policy",
            "same-origin",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cache-Control",
            "no-store");

    private static final String HTML = "text/html; charset=utf-8";

    private Answers() {}

    static Response page(int status, Html html) {
        return page(status, html, Map.of());
    }

    static Response page(int status, Html html, Map<String, String> headers) {
        return new Response(status, HTML, guarded(headers), html.bytes());
    }

    /** The list, whose script may ask for the list again. Scripts in the page itself stay without effect. */
    static Response scripted(Html html) {
        Map<String, String> headers = guarded(Map.of());
        headers.put(POLICY_NAME, POLICY + "; script-src 'self'; connect-src 'self'");
        return new Response(200, HTML, headers, html.bytes());
    }

    static Response file(String type, byte[] bytes) {
        return new Response(200, type + "; charset=utf-8", GUARDS, bytes);
    }

    /** Sends the browser on to a page, so that going back or reloading repeats no form. */
    static Response seeOther(String path, Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.put("Location", path);
        return new Response(303, HTML, guarded(all), new byte[0]);
    }

    private static Map<String, String> guarded(Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(GUARDS);
        return all;
    }
}
