package io.weir.transport.http;

import io.netty.channel.ChannelHandlerContext;
import io.weir.jsonrpc.ReplyText;
import io.weir.transport.answer.GzipPieces;
import io.weir.transport.answer.GzipWriter;
import io.weir.transport.request.LoopTurns;
import org.jspecify.annotations.Nullable;

/** The compression of suitable answers, one slice per turn of their event loop. Thread-safe; one for a listener. */
final class AnswerCompressor {

    /** The smallest answer that is packed: a smaller one fits into few packets anyway. */
    private static final int MIN_BYTES = 4 << 10;

    private final LoopTurns turns = new LoopTurns();

    /** Returns a compressor of an answer that is sent while it arrives, or null if the budget is exhausted. */
    @Nullable
    GzipPieces pieces(Exchange exchange) {
        return GzipPieces.open(exchange.reserve());
    }

    /** Returns what compresses an answer that is sent while it arrives. */
    CompressedAnswer.Compression by(GzipPieces gzip) {
        return new CompressedAnswer.Compression(gzip, turns);
    }

    /**
     * Starts to compress an answer, whose client accepts that, if it is large enough and the budget allows it. A failure closes the
     * connection.
     *
     * @param then runs when the compression is complete, unless that is immediate
     */
    void begin(ChannelHandlerContext ctx, Exchange exchange, Runnable then) {
        ReplyText text = exchange.compressibleText();
        if (text == null || text.length() < MIN_BYTES) {
            return;
        }
        GzipWriter writer = GzipWriter.open(text, ctx.alloc(), exchange.reserve());
        if (writer != null && exchange.compress(writer, text.length())) {
            turns.add(
                    ctx.channel().eventLoop(),
                    () -> {
                        boolean more = exchange.compressMore();
                        if (!more) {
                            then.run();
                        }
                        return more;
                    },
                    ctx::close);
        }
    }
}
