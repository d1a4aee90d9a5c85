package io.weir.upstream.link;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.weir.upstream.NodeOutcome.Failed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of a node's answer, as far as it decides about the call and the connection. Immutable.
 *
 * @param verdict the outcome of the call; null if the body counts
 * @param mayBodySayMore whether the body is read although the head gives a verdict
 * @param length of the body; -1 if it is unknown
 * @param keepsConnection whether the connection can carry another call after the answer
 * @param packed whether the body is in gzip, asked for or not
 */
record NodeAnswerHead(
        int status,
        @Nullable Failed verdict,
        boolean mayBodySayMore,
        long length,
        boolean keepsConnection,
        boolean packed) {

    /** Reads a parsed head, and removes the content coding gzip. */
    static NodeAnswerHead of(HttpResponse response) {
        boolean packed = isPacked(response.headers().getAll(HttpHeaderNames.CONTENT_ENCODING));
        if (packed) {
            response.headers().remove(HttpHeaderNames.CONTENT_ENCODING);
        }
        Failed verdict = ReplyVerdict.ofHead(response);
        boolean chunked = HttpUtil.isTransferEncodingChunked(response);
        // With another transfer coding the length may be that of something else.
        boolean endKnown = chunked
                || (HttpUtil.isContentLengthSet(response)
                        && !response.headers().contains(HttpHeaderNames.TRANSFER_ENCODING));
        return new NodeAnswerHead(
                response.status().code(),
                verdict,
                verdict != null && ReplyVerdict.mayBodySayMore(verdict),
                chunked ? -1 : HttpUtil.getContentLength(response, -1L),
                endKnown && HttpUtil.isKeepAlive(response),
                packed && !isInterim(response.status().code()));
    }

    private static boolean isPacked(List<String> codings) {
        return codings.size() == 1
                && (HttpHeaderValues.GZIP.contentEqualsIgnoreCase(codings.get(0).strip())
                        || HttpHeaderValues.X_GZIP.contentEqualsIgnoreCase(
                                codings.get(0).strip()));
    }

    /** Returns this head before a body of another length. */
    NodeAnswerHead ofLength(long bytes) {
        return new NodeAnswerHead(status, verdict, mayBodySayMore, bytes, keepsConnection, packed);
    }

    /** Returns this head before the body once it is unpacked, the length of which is unknown. */
    NodeAnswerHead unpacked() {
        return new NodeAnswerHead(status, verdict, mayBodySayMore, -1, keepsConnection, false);
    }

    /**
     * Returns whether another answer with the same head can be read without parsing it: the length alone says where its body ends, and the
     * head decides nothing else.
     */
    static boolean isRepeatable(HttpResponse response, NodeAnswerHead head) {
        return response.decoderResult().isSuccess()
                && response.status().equals(HttpResponseStatus.OK)
                && response.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && response.headers().getAll(HttpHeaderNames.CONTENT_LENGTH).size() == 1
                && !response.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)
                && head.verdict == null
                && head.keepsConnection;
    }

    /** Returns whether it precedes the head of the answer itself. */
    boolean isInterim() {
        return isInterim(status);
    }

    private static boolean isInterim(int status) {
        return status != HttpResponseStatus.SWITCHING_PROTOCOLS.code()
                && HttpStatusClass.valueOf(status) == HttpStatusClass.INFORMATIONAL;
    }

    /** Returns whether the call was carried out as HTTP sees it. */
    boolean isSuccess() {
        return HttpStatusClass.valueOf(status) == HttpStatusClass.SUCCESS;
    }
}
