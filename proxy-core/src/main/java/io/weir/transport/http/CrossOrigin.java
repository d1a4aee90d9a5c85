package io.weir.transport.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.weir.config.ServerConfig;
import java.util.List;
import java.util.Set;

/** What browsers are told of who may read answers, by the rules of CORS. Immutable. */
final class CrossOrigin {

    private static final String ANY = "*";
    private static final String VARY = "Vary: Origin\r\n";
    private static final String EXPOSED =
            "Access-Control-Expose-Headers: Cache-Status, Retry-After, Server-Timing, Weir-Degraded, Weir-Verified\r\n";

    private final Set<String> origins;
    private final boolean any;
    private final String preflight;

    CrossOrigin(ServerConfig.Cors config) {
        this.origins = config.origins();
        this.any = origins.contains(ANY);
        this.preflight = "Access-Control-Allow-Methods: POST\r\nAccess-Control-Allow-Headers: Content-Type\r\n"
                + "Access-Control-Max-Age: " + config.maxAgeMillis() / 1000 + "\r\n";
    }

    /** Whether a request asks only whether another would be allowed, and is to be told so. */
    boolean isPreflight(HttpRequest request) {
        return request.method().equals(HttpMethod.OPTIONS)
                && request.headers().contains(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD)
                && isAllowed(request.headers());
    }

    /** The header lines of a request's answer, each with its line end. */
    String lines(HttpRequest request) {
        if (origins.isEmpty()) {
            return "";
        }
        String vary = any ? "" : VARY;
        if (!isAllowed(request.headers())) {
            return vary;
        }
        // One of the configured ones, so that nothing that a client made up is repeated.
        String origin = any ? ANY : request.headers().get(HttpHeaderNames.ORIGIN);
        return vary + "Access-Control-Allow-Origin: " + origin + "\r\n" + (isPreflight(request) ? preflight : EXPOSED);
    }

    private boolean isAllowed(HttpHeaders headers) {
        List<String> sent = headers.getAll(HttpHeaderNames.ORIGIN);
        return sent.size() == 1 && (any || origins.contains(sent.get(0)));
    }
}
