package io.weir.transport.http2;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a stream's request, as the head that the handlers of HTTP/1.1 read. Stateless. */
final class RequestFields {

    private static final HttpVersion HTTP_2 = new HttpVersion("HTTP", 2, 0, true);

    private RequestFields() {}

    /**
     * Returns the head of a request, or null if it is malformed by RFC 9113: then the stream ends.
     *
     * @param whole whether the request has no body
     */
    static @Nullable HttpRequest head(Http2Headers fields, boolean whole) {
        CharSequence method = fields.method();
        if (method == null || hasEmptyPath(fields) || isTunnel(fields, method)) {
            return null;
        }
        try {
            // CONNECT has no path; the rules of the framing reject it.
            HttpRequest request = new DefaultHttpRequest(HTTP_2, HttpMethod.valueOf(method.toString()), path(fields));
            for (Map.Entry<CharSequence, CharSequence> field : fields) {
                if (!isPseudo(field.getKey())) {
                    request.headers().add(field.getKey(), field.getValue());
                }
            }
            return host(request.headers(), fields.authority()) ? length(request, whole) : null;
        } catch (IllegalArgumentException e) {
            // A character that no name or value may have.
            return null;
        }
    }

    /** Returns whether the fields after a body may be there. */
    static boolean areTrailers(Http2Headers fields) {
        for (CharSequence name : fields.names()) {
            if (isPseudo(name)) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasEmptyPath(Http2Headers fields) {
        CharSequence path = fields.path();
        return path != null && path.isEmpty();
    }

    /** Returns whether a request asks for a tunnel in a form that nobody was offered: one to a path, or of another protocol. */
    private static boolean isTunnel(Http2Headers fields, CharSequence method) {
        return fields.contains(Http2Headers.PseudoHeaderName.PROTOCOL.value())
                || (HttpMethod.CONNECT.asciiName().contentEquals(method)
                        && (fields.path() != null || fields.scheme() != null));
    }

    private static String path(Http2Headers fields) {
        CharSequence path = fields.path();
        return path == null ? "" : path.toString();
    }

    private static boolean isPseudo(CharSequence name) {
        return !name.isEmpty() && name.charAt(0) == ':';
    }

    /**
     * Sets the host that the request was sent to. Returns false if it names two of them. The rules of the framing reject several fields with
     * the same one.
     */
    private static boolean host(HttpHeaders headers, @Nullable CharSequence authority) {
        if (authority == null) {
            return true;
        }
        List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
        if (hosts.stream().anyMatch(host -> !host.equalsIgnoreCase(authority.toString()))) {
            return false;
        }
        if (hosts.isEmpty()) {
            headers.set(HttpHeaderNames.HOST, authority);
        }
        return true;
    }

    /** Says of a request without a length whether it has a body. */
    private static HttpRequest length(HttpRequest request, boolean whole) {
        HttpHeaders headers = request.headers();
        if (!headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
            if (whole) {
                headers.set(HttpHeaderNames.CONTENT_LENGTH, HttpHeaderValues.ZERO);
            } else {
                headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
            }
        }
        return request;
    }
}
