package io.weir.transport.http1;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The framing rules for a request's headers, so that no other party can read the request differently. */
public final class Framing {

    /** A name of 253 characters, or an address in brackets with its zone, and a port. */
    private static final int MAX_HOST = 300;

    /** A target with its host: the host and port, and what follows them. */
    private static final Pattern ABSOLUTE =
            Pattern.compile("(?i:https?)://([a-zA-Z0-9\\-._~\\[\\]:]{1,300})((?:[/?].*)?)");

    private Framing() {}

    /** Returns the problem without any part of the request; null if there is none. */
    public static @Nullable String fault(HttpRequest request) {
        HttpVersion version = request.protocolVersion();
        boolean old = version.equals(HttpVersion.HTTP_1_0);
        if (!old && !version.equals(HttpVersion.HTTP_1_1)) {
            return "version: unknown (expected: HTTP/1.1 or HTTP/1.0)";
        }
        String uri = request.uri();
        return faultBeside(request, uri.startsWith("/") || ABSOLUTE.matcher(uri).matches(), old);
    }

    /**
     * Gives a request with an absolute target (RFC 9112, 3.2.2) its path as target, and the host of its target in place of the one in its
     * headers. Leaves other requests as they are.
     *
     * @param request without a fault
     */
    public static void toOriginForm(HttpRequest request) {
        Matcher target = ABSOLUTE.matcher(request.uri());
        if (target.matches()) {
            String path = target.group(2);
            request.setUri(path.startsWith("/") ? path : "/" + path);
            request.headers().set(HttpHeaderNames.HOST, target.group(1));
        }
    }

    /** Returns the problem of a request that HTTP/2 has framed, without any part of the request; null if there is none. */
    public static @Nullable String faultInHttp2(HttpRequest request) {
        return faultBeside(request, request.uri().startsWith("/"), false);
    }

    /** Returns the problem of a request beside its version. */
    private static @Nullable String faultBeside(HttpRequest request, boolean hasPath, boolean old) {
        if (!hasPath) {
            return "request target: no path (expected: a path that begins with /)";
        }
        String fault = lengthFault(request.headers(), old);
        return fault != null ? fault : hostFault(request.headers().getAll(HttpHeaderNames.HOST), old);
    }

    private static @Nullable String lengthFault(HttpHeaders headers, boolean old) {
        List<String> lengths = headers.getAll(HttpHeaderNames.CONTENT_LENGTH);
        List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (!codings.isEmpty()) {
            if (old || codings.size() > 1 || !codings.get(0).equalsIgnoreCase("chunked")) {
                return "Transfer-Encoding: unknown (expected: chunked, once, in HTTP/1.1)";
            }
            return lengths.isEmpty() ? null : "Content-Length: beside Transfer-Encoding (expected: one of them)";
        }
        if (lengths.size() > 1 || (lengths.size() == 1 && !isNumber(lengths.get(0)))) {
            return "Content-Length: not one number (expected: one decimal number)";
        }
        return null;
    }

    private static boolean isNumber(String value) {
        return !value.isEmpty() && value.length() <= 18 && value.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static @Nullable String hostFault(List<String> hosts, boolean old) {
        if (hosts.size() > 1 || (hosts.isEmpty() && !old)) {
            return "Host: " + hosts.size() + " of them (expected: exactly one)";
        }
        return hosts.isEmpty() || isHost(hosts.get(0))
                ? null
                : "Host: not a host (expected: a name or address, and a port)";
    }

    private static boolean isHost(String host) {
        return host.length() <= MAX_HOST && host.chars().allMatch(Framing::mayStandInHost);
    }

    private static boolean mayStandInHost(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "-._~[]:!$&'()*+;=%".indexOf(c) >= 0;
    }
}
