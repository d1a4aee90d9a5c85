package io.weir.upstream.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.weir.framing.HeadCache;
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
}
