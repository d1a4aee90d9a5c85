package io.weir.transport.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.weir.access.BypassingCaller;
import io.weir.config.ServerConfig;
import io.weir.network.Generation;
import io.weir.transport.coding.BodyCoding;
import io.weir.transport.coding.MediaTypes;
import io.weir.transport.request.Admission;
import io.weir.transport.request.HeaderKey;
import io.weir.transport.request.MalformedTargetException;
import io.weir.transport.request.Rejection;
import io.weir.transport.request.RequestSource;
import io.weir.transport.request.RequestTarget;
import org.jspecify.annotations.Nullable;

/** The decision about a request by its headers. Thread-safe. */
final class RequestPolicy {

    private static final Decision SEVERAL_KEYS = reject(
            Rejection.Reason.KEY_CONFLICT,
            "api key: several that differ (expected: one, in the path, in Authorization: Bearer or in X-Api-Key)");

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

        /** Collects its body, decompressed if necessary, and runs it. Immutable. */
        record Collect(Admission.Granted granted, BodyCoding coding) implements Decision {}

        /** Answers a permitted CORS preflight. Immutable. */
        record AnswerPreflight() implements Decision {}

        /** Answers a health check. Immutable. */
        record AnswerHealthCheck() implements Decision {}

        /** Opens a WebSocket. Immutable. */
        record OpenWebSocket(ClientRequest.Handshake handshake) implements Decision {}
    }

    /**
     * Decides in this order: form of the target, health check, host, origin, path, preflight, several keys, verb, key, network,
     * permission, type, coding, length.
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
        if (!MediaTypes.isJson(headers.getAll(HttpHeaderNames.CONTENT_TYPE))) {
            return reject(Rejection.Reason.TYPE, "Content-Type: unsupported (expected: application/json)");
        }
        BodyCoding coding = BodyCoding.of(headers.getAll(HttpHeaderNames.CONTENT_ENCODING));
        if (coding == null) {
            return reject(Rejection.Reason.CODING, "Content-Encoding: unsupported (expected: gzip, or none)");
        }
        if (length > maxBodyBytes) {
            return reject(Rejection.Reason.SIZE, tooLarge());
        }
        if (length < 0 && !HttpUtil.isTransferEncodingChunked(request)) {
            return reject(Rejection.Reason.LENGTH, "Content-Length: missing (expected: the body's length)");
        }
        boolean fresh = headers.containsValue(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_CACHE, true);
        return new Decision.Collect(fresh ? bypassing(granted) : granted, coding);
    }

    private static Admission.Granted bypassing(Admission.Granted granted) {
        return new Admission.Granted(granted.network(), BypassingCaller.of(granted.caller()));
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
        return new Decision.OpenWebSocket(new ClientRequest.Handshake(accept, generation, granted, target, source));
    }

    /** Returns the message for a body that is larger than allowed. */
    String tooLarge() {
        return "body: too large (expected: at most " + maxBodyBytes + " bytes)";
    }

    private static Decision reject(Rejection.Reason reason, String detail) {
        return new Decision.Reject(new Rejection(reason, detail));
    }
}
