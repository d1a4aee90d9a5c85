package io.weir.transport.answer;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;

/**
 * How a request wants its answer. Immutable.
 *
 * @param keepAlive whether the connection stays open behind it
 * @param tellKeepAlive whether an HTTP/1.0 client must be told so
 * @param headOnly whether the answer goes without its body
 * @param gzip whether the body may be packed with gzip
 * @param headers further header lines, each with its line end
 */
public record AnswerStyle(boolean keepAlive, boolean tellKeepAlive, boolean headOnly, boolean gzip, String headers) {

    /** For requests that were not understood: the connection ends. */
    public static final AnswerStyle LAST = new AnswerStyle(false, false, false, false, "");

    /**
     * What a request asks for.
     *
     * @param gzip whether the body may be packed with gzip
     * @param headers further header lines of its answer, each with its line end
     */
    public static AnswerStyle of(HttpRequest request, boolean gzip, String headers) {
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        boolean old = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        boolean head = request.method().equals(HttpMethod.HEAD);
        return new AnswerStyle(keepAlive, keepAlive && old, head, gzip, headers);
    }

    /** The same, but for the connection, which ends. */
    public AnswerStyle closing() {
        return new AnswerStyle(false, false, headOnly, gzip, headers);
    }
}
