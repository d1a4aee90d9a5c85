package io.weir.transport.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.weir.access.AllowedOrigins;
import io.weir.network.Generation;
import java.util.List;

/** The CORS headers of answers, by the configured origins. They tell browsers which pages may read an answer. */
final class CrossOrigin {

    private static final String VARY = "Vary: Origin\r\n";
    private static final String EXPOSED =
            "Access-Control-Expose-Headers: Cache-Status, Retry-After, Server-Timing, Weir-Degraded, Weir-Logs, Weir-Verified\r\n";

    /** Headers with which pages name their key, ask for a fresh answer, and name their trace. */
    private static final String HEADERS =
            "Content-Type, Authorization, X-Api-Key, Cache-Control, Weir-Require, traceparent, tracestate";

    private static final int MAX_AGE_SECONDS = 600;

    private CrossOrigin() {}

    /** Returns whether a request is a CORS preflight of a configured origin. */
    static boolean isPreflight(Generation generation, HttpRequest request) {
        return request.method().equals(HttpMethod.OPTIONS)
                && request.headers().contains(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD)
                && generation.origins().names(origins(request));
    }

    /** Returns the header lines of a request's answer, each with its line end. */
    static String lines(Generation generation, HttpRequest request) {
        AllowedOrigins allowed = generation.origins();
        if (allowed.isEmpty()) {
            return "";
        }
        String vary = allowed.any() ? "" : VARY;
        List<String> origins = origins(request);
        if (!allowed.names(origins)) {
            return vary;
        }
        // It is a configured origin, so no text that a client invented is repeated.
        String origin = allowed.any() ? "*" : origins.get(0);
        return vary + "Access-Control-Allow-Origin: " + origin + "\r\n"
                + (isPreflight(generation, request) ? preflight(generation) : EXPOSED);
    }

    private static String preflight(Generation generation) {
        StringBuilder headers = new StringBuilder(HEADERS);
        generation
                .config()
                .server()
                .cors()
                .headers()
                .forEach(name -> headers.append(", ").append(name));
        return "Access-Control-Allow-Methods: POST\r\n"
                + "Access-Control-Allow-Headers: " + headers + "\r\n"
                + "Access-Control-Max-Age: " + MAX_AGE_SECONDS + "\r\n";
    }

    private static List<String> origins(HttpRequest request) {
        return request.headers().getAll(HttpHeaderNames.ORIGIN);
    }
}
