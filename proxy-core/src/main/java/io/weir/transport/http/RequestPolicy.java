package io.weir.transport.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.weir.access.AllowedOrigins;
import io.weir.access.Caller.Demands;
import io.weir.config.ServerConfig;
import io.weir.network.Generation;
import io.weir.transport.request.Admission;
import io.weir.transport.request.Rejection;
import io.weir.transport.request.RequestSource;
import io.weir.transport.request.RequestTarget;
import io.weir.transport.request.RequestTarget.MalformedTargetException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The decision about a request by its headers. Thread-safe. */
final class RequestPolicy {

    private static final Decision SEVERAL_KEYS = reject(
            Rejection.Reason.KEY_CONFLICT,
            "api key: several that differ (expected: one, in the path, in Authorization: Bearer or in X-Api-Key)");

    /** The name of the header that says what answers must have. */
    private static final AsciiString REQUIRE = AsciiString.cached("weir-require");

    private static final String COMPLETE_LOGS = "logs";
    private static final String PROVEN_STATE = "state";
    private static final Set<String> DEMANDS = Set.of(COMPLETE_LOGS, PROVEN_STATE);
    private static final Decision UNKNOWN_DEMAND = reject(
            Rejection.Reason.FRAMING,
            "Weir-Require: unknown value (expected: " + COMPLETE_LOGS + " or " + PROVEN_STATE + ", or both)");

    private final int maxBodyBytes;
    private final @Nullable String healthPath;

    RequestPolicy(ServerConfig config) {
        this.maxBodyBytes = config.maxBodyBytes();
        this.healthPath = config.healthPath();
    }

    /** The decision about a request. Immutable. */
    sealed interface Decision {

        /** Rejects the request. Immutable. */
        record Reject(Rejection rejection) implements Decision {}

        /** Collects its body, decompressed if it is compressed, and runs it. Immutable. */
        record Collect(Admission.Granted granted, boolean gzip) implements Decision {}

        /** Answers a permitted CORS preflight. Immutable. */
        record AnswerPreflight() implements Decision {}

        /** Answers a health check. Immutable. */
        record AnswerHealthCheck() implements Decision {}

        /** Opens a WebSocket. Immutable. */
        record OpenWebSocket(ClientRequest.Handshake handshake) implements Decision {}
    }

    /**
     * Decides in this order: form of the target, health check, host, origin, path, preflight, several keys, verb, key, network,
     * permission, type, coding, length, demands.
     *
     * @param generation the generation that serves
     * @param source of the request
     * @param length of the body in bytes; -1 if the headers have none
     */
    Decision decide(Generation generation, HttpRequest request, RequestSource source, long length) {
        RequestTarget path;
        try {
            path = RequestTarget.parse(request.uri());
        } catch (MalformedTargetException e) {
            return reject(Rejection.Reason.FRAMING, String.valueOf(e.getMessage()));
        }
        if (isHealthCheck(request)) {
            return new Decision.AnswerHealthCheck();
        }
        Rejection foreign = source.rejection(generation);
        if (foreign != null) {
            return new Decision.Reject(foreign);
        }
        if (path == null) {
            return reject(Rejection.Reason.PATH, "no such path");
        }
        if (!path.webSocket() && CrossOrigin.isPreflight(generation, request)) {
            return new Decision.AnswerPreflight();
        }
        RequestTarget target = HeaderKey.in(path, request.headers());
        if (target == null) {
            return SEVERAL_KEYS;
        }
        return target.webSocket()
                ? webSocket(generation, request, source, target)
                : post(generation, request, source, target, length);
    }

    /**
     * Returns whether a request is a health check. Its host and its page do not matter: balancers write hosts of their own, and the answer
     * tells nothing but the readiness.
     */
    private boolean isHealthCheck(HttpRequest request) {
        if (healthPath == null
                || !(HttpMethod.GET.equals(request.method()) || HttpMethod.HEAD.equals(request.method()))) {
            return false;
        }
        String uri = request.uri();
        int query = uri.indexOf('?');
        return healthPath.equals(query < 0 ? uri : uri.substring(0, query));
    }

    private Decision post(
            Generation generation, HttpRequest request, RequestSource source, RequestTarget target, long length) {
        HttpHeaders headers = request.headers();
        if (!request.method().equals(HttpMethod.POST)) {
            return reject(Rejection.Reason.VERB, "method not allowed (expected: POST)");
        }
        Admission admission = Admission.decide(generation, target, source);
        if (!(admission instanceof Admission.Granted granted)) {
            return new Decision.Reject((Rejection) admission);
        }
        if (!ContentHeaders.isJson(headers.getAll(HttpHeaderNames.CONTENT_TYPE))) {
            return reject(Rejection.Reason.TYPE, "Content-Type: unsupported (expected: application/json)");
        }
        List<String> codings = headers.getAll(HttpHeaderNames.CONTENT_ENCODING);
        boolean gzip = ContentHeaders.isGzip(codings);
        if (!gzip && !ContentHeaders.isPlain(codings)) {
            return reject(Rejection.Reason.CODING, "Content-Encoding: unsupported (expected: gzip, or none)");
        }
        if (length > maxBodyBytes) {
            return reject(Rejection.Reason.SIZE, tooLarge());
        }
        if (length < 0 && !HttpUtil.isTransferEncodingChunked(request)) {
            return reject(Rejection.Reason.LENGTH, "Content-Length: missing (expected: the body's length)");
        }
        boolean fresh = headers.containsValue(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_CACHE, true);
        Admission.Granted demanding = demanding(granted, headers, fresh);
        return demanding == null ? UNKNOWN_DEMAND : new Decision.Collect(demanding, gzip);
    }

    /** Returns an admission with what the headers demand of answers; null if that is not known. */
    private static Admission.@Nullable Granted demanding(
            Admission.Granted granted, HttpHeaders headers, boolean fresh) {
        List<String> values = headers.getAll(REQUIRE);
        if (values.isEmpty() && !fresh) {
            return granted;
        }
        Set<String> required = values.stream()
                .flatMap(value -> Stream.of(value.toLowerCase(Locale.ROOT).split(",")))
                .map(String::strip)
                .collect(Collectors.toSet());
        Demands demands = new Demands(fresh, required.contains(COMPLETE_LOGS), required.contains(PROVEN_STATE));
        return DEMANDS.containsAll(required) ? granted.by(granted.caller().demanding(demands)) : null;
    }

    private Decision webSocket(Generation generation, HttpRequest request, RequestSource source, RequestTarget target) {
        if (!request.method().equals(HttpMethod.GET)) {
            return reject(Rejection.Reason.WEBSOCKET_VERB, "method not allowed (expected: GET)");
        }
        if (!HandshakeRules.isUpgrade(request)) {
            return reject(Rejection.Reason.UPGRADE, "WebSocket: not asked for (expected: an upgrade, version 13)");
        }
        String accept = HandshakeRules.accept(request);
        if (accept == null) {
            return reject(Rejection.Reason.HANDSHAKE, "handshake: malformed (expected: RFC 6455)");
        }
        Admission admission = Admission.decide(generation, target, source);
        if (!(admission instanceof Admission.Granted granted)) {
            return new Decision.Reject((Rejection) admission);
        }
        Admission.Granted demanding = demanding(granted, request.headers(), false);
        return demanding == null
                ? UNKNOWN_DEMAND
                : new Decision.OpenWebSocket(
                        new ClientRequest.Handshake(accept, generation, demanding, target, source));
    }

    /** Returns the message for a body that is larger than allowed. */
    String tooLarge() {
        return "body: too large (expected: at most " + maxBodyBytes + " bytes)";
    }

    private static Decision reject(Rejection.Reason reason, String detail) {
        return new Decision.Reject(new Rejection(reason, detail));
    }

    /** The rules of RFC 6455 for the request that opens a WebSocket. */
    private static final class HandshakeRules {

        private static final String VERSION = "13";
        private static final String SALT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
        private static final int NONCE_BYTES = 16;

        private HandshakeRules() {}

        /** Returns whether a request asks for a WebSocket of the supported version. */
        static boolean isUpgrade(HttpRequest request) {
            HttpHeaders headers = request.headers();
            return request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                    && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
                    && headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
                    && headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_VERSION).equals(List.of(VERSION));
        }

        /** Returns the value that proves that a handshake was understood, or null if the handshake is malformed. */
        static @Nullable String accept(HttpRequest request) {
            List<String> keys = request.headers().getAll(HttpHeaderNames.SEC_WEBSOCKET_KEY);
            boolean body = HttpUtil.isTransferEncodingChunked(request) || HttpUtil.getContentLength(request, 0L) > 0;
            if (body || keys.size() != 1 || !isNonce(keys.get(0))) {
                return null;
            }
            try {
                // SHA-1 has no security purpose here; the protocol prescribes it.
                MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
                return Base64.getEncoder().encodeToString(sha1.digest((keys.get(0) + SALT).getBytes(US_ASCII)));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("SHA-1: missing (expected: every Java has it)", e);
            }
        }

        private static boolean isNonce(String key) {
            try {
                return Base64.getDecoder().decode(key).length == NONCE_BYTES;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }
    }

    /** API keys in the headers {@code Authorization: Bearer} and {@code X-Api-Key}. Pure. */
    private static final class HeaderKey {

        /** The name of the header that holds nothing but a key. */
        static final AsciiString X_API_KEY = AsciiString.cached("x-api-key");

        private static final String BEARER = "bearer ";

        private HeaderKey() {}

        /**
         * Returns a request's target with the key in its path or its headers. Other schemes of {@code Authorization} are ignored.
         *
         * @param path the target in the path
         * @return the path's own target if no header has a key; null if there are several keys
         */
        static @Nullable RequestTarget in(RequestTarget path, HttpHeaders headers) {
            if (!headers.contains(HttpHeaderNames.AUTHORIZATION) && !headers.contains(X_API_KEY)) {
                return path;
            }
            Set<String> keys = new HashSet<>();
            for (String value : headers.getAll(HttpHeaderNames.AUTHORIZATION)) {
                if (value.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
                    keys.add(decoded(value.substring(BEARER.length()).strip()));
                }
            }
            for (String value : headers.getAll(X_API_KEY)) {
                keys.add(decoded(value));
            }
            if (keys.isEmpty()) {
                return path;
            }
            if (path.key() != null) {
                keys.add(path.key());
            }
            return keys.size() > 1
                    ? null
                    : new RequestTarget(
                            path.webSocket(),
                            path.network(),
                            true,
                            keys.iterator().next());
        }

        /** Returns the text of a header's bytes, each of which the decoder passes on as one character. */
        private static String decoded(String value) {
            return new String(value.getBytes(ISO_8859_1), UTF_8);
        }
    }

    /** The CORS headers of answers, by the configured origins. They tell browsers which pages may read an answer. */
    static final class CrossOrigin {

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
}
