package io.weir.wallet.page;

import static java.util.Map.entry;

import io.weir.api.AdminPage.Response;
import java.util.HashMap;
import java.util.Map;

/** The page's answers, each with what the browser must not do with it. Immutable. */
final class Answers {

    /** No script at all, and nothing from elsewhere: what slips into the page stays text without effect. */
    private static final String POLICY =
            "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final String POLICY_NAME = "Content-Security-Policy";

    private static final Map<String, String> GUARDS = Map.ofEntries(
            entry(POLICY_NAME, POLICY),
            entry("X-Content-Type-Options", "nosniff"),
            entry("X-Frame-Options", "DENY"),
            // With no-referrer a browser would hide the Origin of a form, too, and the listener refuse it.
            entry("Referrer-Policy", "same-origin"),
            entry("Cross-Origin-Opener-Policy", "same-origin"),
            entry("Cross-Origin-Resource-Policy", "same-origin"),
            entry("Cache-Control", "no-store"));

    private static final String HTML = "text/html; charset=utf-8";

    private Answers() {}

    static Response page(int status, byte[] html) {
        return new Response(status, HTML, GUARDS, html);
    }

    /** The list, whose script may ask for the list again. Scripts in the page itself stay without effect. */
    static Response scripted(Response list) {
        return with(Map.of(POLICY_NAME, POLICY + "; script-src 'self'; connect-src 'self'"), list);
    }

    /** The same answer with further headers. */
    static Response with(Map<String, String> headers, Response answer) {
        Map<String, String> all = new HashMap<>(answer.headers());
        all.putAll(headers);
        return new Response(answer.status(), answer.contentType(), all, answer.body());
    }

    static Response file(String type, byte[] bytes) {
        return new Response(200, type + "; charset=utf-8", GUARDS, bytes);
    }

    /** Sends the browser on to a page, so that going back or reloading repeats no form. */
    static Response seeOther(String path, Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.put("Location", path);
        return with(all, page(303, new byte[0]));
    }
}
