package io.weir.transport.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of RFC 6455 for the request that opens a WebSocket. */
final class HandshakeRules {

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
