package io.weir.transport.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request's path. Its text form omits the key. Immutable.
 *
 * @param webSocket whether the path is that of a WebSocket
 * @param network the network in the path, or null
 * @param keyed whether the path is one with a key
 * @param key the key, decoded; null if absent, even if the path requires one
 */
public record RequestTarget(
        boolean webSocket,
        @Nullable String network,
        boolean keyed,
        @Nullable String key) {

    private static final String KEY_MARK = "v3";
    private static final String WEBSOCKET_MARK = "ws";
    private static final char DELETE = 0x7f;

    /** Signals a request line without a valid path. Its message contains no part of the request. Immutable. */
    public static final class MalformedTargetException extends Exception {

        private MalformedTargetException(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * Reads the target of a request line.
     *
     * @return null if nothing is served at this path
     * @throws MalformedTargetException if the target is not a path, has forbidden characters, or has malformed escapes
     */
    public static @Nullable RequestTarget parse(String uri) throws MalformedTargetException {
        String fault = fault(uri);
        if (fault != null) {
            throw new MalformedTargetException(fault);
        }
        if (uri.isEmpty() || uri.charAt(0) != '/') {
            throw new MalformedTargetException("request target: no path (expected: a path that begins with /)");
        }
        int query = uri.indexOf('?');
        List<String> parts = split(query < 0 ? uri : uri.substring(0, query));
        int at = 0;
        String network = null;
        if (!parts.isEmpty() && !parts.get(0).equals(KEY_MARK) && !parts.get(0).equals(WEBSOCKET_MARK)) {
            network = parts.get(at++);
        }
        boolean webSocket = at < parts.size() && parts.get(at).equals(WEBSOCKET_MARK);
        at += webSocket ? 1 : 0;
        boolean keyed = at < parts.size() && parts.get(at).equals(KEY_MARK);
        at += keyed ? 1 : 0;
        String key = keyed && at < parts.size() ? decode(parts.get(at++)) : null;
        if (at < parts.size() || parts.contains("")) {
            return null;
        }
        return new RequestTarget(webSocket, network == null ? null : decode(network), keyed, key);
    }

    /**
     * Returns the problem of the characters of a target, or null if there is none. RFC 3986 allows visible ASCII only.
     * Control characters are rejected as escapes too, in the path and in the query.
     */
    public static @Nullable String fault(String uri) {
        for (int i = 0; i < uri.length(); i++) {
            char c = uri.charAt(i);
            if (c <= ' ' || c >= DELETE) {
                return "request target: an unescaped character (expected: only those of RFC 3986)";
            }
            if (c == '%' && i + 2 < uri.length()) {
                int high = hexDigit(uri.charAt(i + 1));
                int low = hexDigit(uri.charAt(i + 2));
                int escaped = high < 0 || low < 0 ? ' ' : high << 4 | low;
                if (escaped < ' ' || escaped == DELETE) {
                    return "request target: a control character (expected: none, not as an escape either)";
                }
            }
        }
        return null;
    }

    /** Returns the parts between slashes. One slash at the end is tolerated. */
    private static List<String> split(String path) {
        List<String> parts = new ArrayList<>();
        int begin = 1;
        for (int end = path.indexOf('/', begin); end >= 0; end = path.indexOf('/', begin)) {
            parts.add(path.substring(begin, end));
            begin = end + 1;
        }
        if (begin < path.length()) {
            parts.add(path.substring(begin));
        }
        return parts;
    }

    private static String decode(String part) throws MalformedTargetException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(part.length());
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c == '%') {
                bytes.write(escaped(part, i));
                i += 2;
            } else if (c != '#') {
                bytes.write(c);
            } else {
                throw new MalformedTargetException("path: an unescaped character (expected: only those of RFC 3986)");
            }
        }
        try {
            String text = UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
            if (text.chars().anyMatch(Character::isISOControl)) {
                throw new MalformedTargetException("path: a control character (expected: none)");
            }
            return text;
        } catch (CharacterCodingException e) {
            throw new MalformedTargetException("path: escapes (expected: UTF-8)");
        }
    }

    private static int escaped(String part, int at) throws MalformedTargetException {
        if (at + 2 < part.length()) {
            int high = hexDigit(part.charAt(at + 1));
            int low = hexDigit(part.charAt(at + 2));
            if (high >= 0 && low >= 0) {
                return high << 4 | low;
            }
        }
        throw new MalformedTargetException(
                "path: a broken escape (expected: a percent sign and two hexadecimal digits)");
    }

    private static int hexDigit(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    @Override
    public String toString() {
        return (network == null ? "" : "/" + network) + (webSocket ? "/ws" : "") + (keyed ? "/v3/…" : "");
    }
}
