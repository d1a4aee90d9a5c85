package io.weir.transport.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.weir.access.BypassingCaller;
import io.weir.network.Generation;
import io.weir.transport.coding.BodyCoding;
import io.weir.transport.coding.MediaTypes;
import io.weir.transport.entry.Admission;
import io.weir.transport.entry.MalformedTargetException;
import io.weir.transport.entry.Rejection;
import io.weir.transport.entry.RequestSource;
import io.weir.transport.entry.RequestTarget;

/** Decides by a request's head what is to be done with it. Thread-safe. */
final class RequestPolicy {

    private final int maxBodyBytes;

    RequestPolicy(int maxBodyBytes) {
        this.maxBodyBytes = maxBodyBytes;
    }

    /** What is to be done with a request. */
    sealed interface Decision {

        /** It is turned away. */
        record Refuse(Rejection refusal) implements Decision {}

        /** Its body is collected, unpacked where it is packed, and run. */
        record Collect(Admission.Granted granted, BodyCoding coding) implements Decision {}

        /** It asks only whether another would be allowed, which it would. */
        record Allow() implements Decision {}

        /** It becomes a WebSocket. */
        record Shake(ClientRequest.Handshake handshake) implements Decision {}
    }

    /**
     * Decides in this order: form of the target, host, origin, path, preflight, verb, key, network, permission, type, coding, length.
     *
     * @param generation that serves
     * @param source of the request
     * @param length of the body in bytes; -1 where the head names none
     */
    Decision decide(Generation generation, HttpRequest request, RequestSource source, long length) {
        RequestTarget target;
        try {
            target = RequestTarget.parse(request.uri());
        } catch (MalformedTargetException e) {
            return refuse(Rejection.Reason.FRAMING, String.valueOf(e.getMessage()));
        }
        Rejection foreign = source.refusal(generation);
        if (foreign != null) {
            return new Decision.Refuse(foreign);
        }
        if (target == null) {
            return refuse(Rejection.Reason.PATH, "no such path");
        }
        if (!target.webSocket() && CrossOrigin.isPreflight(generation, request)) {
            return new Decision.Allow();
        }
        return target.webSocket()
                ? webSocket(generation, request, source, target)
                : post(generation, request, target, length);
    }

    private Decision post(Generation generation, HttpRequest request, RequestTarget target, long length) {
        HttpHeaders headers = request.headers();
        if (!request.method().equals(HttpMethod.POST)) {
            return refuse(Rejection.Reason.VERB, "method not allowed (expected: POST)");
        }
        Admission admission = Admission.decide(generation, target, headers.get(HttpHeaderNames.HOST));
        if (!(admission instanceof Admission.Granted granted)) {
            return new Decision.Refuse((Rejection) admission);
        }
        if (!MediaTypes.isJson(headers.getAll(HttpHeaderNames.CONTENT_TYPE))) {
            return refuse(Rejection.Reason.TYPE, "Content-Type: unsupported (expected: application/json)");
        }
        BodyCoding coding = BodyCoding.of(headers.getAll(HttpHeaderNames.CONTENT_ENCODING));
        if (coding == null) {
            return refuse(Rejection.Reason.CODING, "Content-Encoding: unsupported (expected: gzip, or none)");
        }
        if (length > maxBodyBytes) {
            return refuse(Rejection.Reason.SIZE, tooLarge());
        }
        if (length < 0 && !HttpUtil.isTransferEncodingChunked(request)) {
            return refuse(Rejection.Reason.LENGTH, "Content-Length: missing (expected: the body's length)");
        }
        boolean fresh = headers.containsValue(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_CACHE, true);
        return new Decision.Collect(fresh ? bypassing(granted) : granted, coding);
    }

    private static Admission.Granted bypassing(Admission.Granted granted) {
        return new Admission.Granted(granted.network(), BypassingCaller.of(granted.caller()));
    }

    private Decision webSocket(Generation generation, HttpRequest request, RequestSource source, RequestTarget target) {
        if (!request.method().equals(HttpMethod.GET)) {
            return refuse(Rejection.Reason.WEBSOCKET_VERB, "method not allowed (expected: GET)");
        }
        if (!HandshakeRules.isUpgrade(request)) {
            return refuse(Rejection.Reason.UPGRADE, "WebSocket: not asked for (expected: an upgrade, version 13)");
        }
        String accept = HandshakeRules.accept(request);
        if (accept == null) {
            return refuse(Rejection.Reason.HANDSHAKE, "handshake: malformed (expected: RFC 6455)");
        }
        Admission admission = Admission.decide(generation, target, source.host());
        if (!(admission instanceof Admission.Granted granted)) {
            return new Decision.Refuse((Rejection) admission);
        }
        return new Decision.Shake(new ClientRequest.Handshake(accept, generation, granted, target, source));
    }

    /** What a client reads whose body is larger than allowed. */
    String tooLarge() {
        return "body: too large (expected: at most " + maxBodyBytes + " bytes)";
    }

    private static Decision refuse(Rejection.Reason reason, String detail) {
        return new Decision.Refuse(new Rejection(reason, detail));
    }
}
