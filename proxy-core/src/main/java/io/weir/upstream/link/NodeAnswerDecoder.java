package io.weir.upstream.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.weir.framing.HeadCache;
import io.weir.upstream.NodeOutcome.Failed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of one connection's answers. It passes on an {@link NodeAnswerHead} and Netty's contents behind it, or a {@link HeadCache.Repeated} for
 * a whole answer with the head of the one before. A head that is no HTTP stays Netty's. Confined to its event loop.
 */
final class NodeAnswerDecoder extends HttpResponseDecoder {

    private final HeadCache<NodeAnswerHead> cache = new HeadCache<>(NodeConnector.MAX_CHUNK);

    /** Whether the first bytes of an answer were examined, although perhaps none was consumed. */
    private boolean begun;

    /** Whether the next byte is not known to begin an answer in HTTP/1.1. */
    private boolean lost;

    NodeAnswerDecoder() {
        super(NodeConnector.decoding());
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        boolean first = !begun && !lost;
        HeadCache.Repeated<NodeAnswerHead> known = first ? cache.pass(in) : null;
        if (known != null) {
            out.add(known);
            return;
        }
        begun = true;
        int before = in.readerIndex();
        int decoded = out.size();
        super.decode(ctx, in, out);
        for (int i = decoded; i < out.size(); i++) {
            Object part = out.get(i);
            lost |= part instanceof HttpObject read && read.decoderResult().isFailure();
            begun &= !(part instanceof LastHttpContent);
            if (part instanceof HttpResponse response && !lost) {
                NodeAnswerHead head = NodeAnswerHead.of(response);
                out.set(i, head);
                lost = response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
                learn(response, head, first && out.size() == decoded + 1 ? in : null, before);
            }
        }
    }

    /** @param in holds the head's bytes from {@code start} on; null if they are not all there */
    private void learn(HttpResponse response, NodeAnswerHead head, @Nullable ByteBuf in, int start) {
        if (in != null && NodeAnswerHead.isRepeatable(response, head)) {
            cache.learn(head, in, start, in.readerIndex());
        } else {
            cache.forget();
        }
    }

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
                    && (HttpHeaderValues.GZIP.contentEqualsIgnoreCase(
                                    codings.get(0).strip())
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
}
