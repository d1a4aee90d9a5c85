package io.weir.transport.answer;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;

/**
 * The form in which a request wants its answer. Immutable.
 *
 * @param keepAlive whether the connection stays open after it
 * @param streaming how a body whose length is not known yet is sent
 * @param sendKeepAlive whether an HTTP/1.0 client needs a keep-alive header
 * @param headOnly whether the answer has no body
 * @param gzip whether the body may be compressed with gzip
 * @param headers further header lines, each with its line end
 */
public record AnswerStyle(
        boolean keepAlive, Streaming streaming, boolean sendKeepAlive, boolean headOnly, boolean gzip, String headers) {

    /** How a body whose length is not known yet is sent. */
    public enum Streaming {
        /** Not at all: HTTP/1.0 has no form for it. */
        NONE,
        /** In chunks of HTTP/1.1. */
        CHUNKS,
        /** As it is, in the frames of HTTP/2. */
        FRAMES
    }

    /** The style for requests that were not understood: the connection closes. */
    public static final AnswerStyle LAST = new AnswerStyle(false, Streaming.NONE, false, false, false, "");

    /**
     * Returns the style that a request asks for.
     *
     * @param gzip whether the body may be compressed with gzip
     * @param headers further header lines of its answer, each with its line end
     */
    public static AnswerStyle of(HttpRequest request, boolean gzip, String headers) {
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        boolean old = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        boolean head = request.method().equals(HttpMethod.HEAD);
        Streaming streaming = old ? Streaming.NONE : Streaming.CHUNKS;
        if (request.protocolVersion().majorVersion() > 1) {
            streaming = Streaming.FRAMES;
        }
        return new AnswerStyle(keepAlive, streaming, keepAlive && old, head, gzip, headers);
    }

    /** Returns the same style, except that the connection closes. */
    public AnswerStyle closing() {
        return new AnswerStyle(false, streaming, false, headOnly, gzip, headers);
    }
}
