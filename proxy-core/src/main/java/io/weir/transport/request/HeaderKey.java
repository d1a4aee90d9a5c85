package io.weir.transport.request;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** API keys in the headers {@code Authorization: Bearer} and {@code X-Api-Key}. Pure. */
public final class HeaderKey {

    /** The name of the header that holds nothing but a key. */
    public static final AsciiString X_API_KEY = AsciiString.cached("x-api-key");

    private static final String BEARER = "bearer ";

    private HeaderKey() {}

    /**
     * Returns a request's target with the key in its path or its headers. Other schemes of {@code Authorization} are ignored.
     *
     * @param path the target in the path
     * @return the path's own target if no header has a key; null if there are several keys
     */
    public static @Nullable RequestTarget in(RequestTarget path, HttpHeaders headers) {
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
                        path.webSocket(), path.network(), true, keys.iterator().next());
    }

    /** Returns the text of a header's bytes, each of which the decoder passes on as one character. */
    private static String decoded(String value) {
        return new String(value.getBytes(ISO_8859_1), UTF_8);
    }
}
