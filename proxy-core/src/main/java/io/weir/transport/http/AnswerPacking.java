package io.weir.transport.http;

import io.netty.channel.ChannelHandlerContext;
import io.weir.config.ServerConfig;
import io.weir.limit.Budget;
import io.weir.transport.answer.AnswerText;
import io.weir.transport.coding.GzipWriter;
import io.weir.transport.coding.LoopTurns;

/** Packs those answers that are worth it, a slice in a turn of their event loop. Thread-safe; one for a listener. */
final class AnswerPacking {

    private final ServerConfig.Compression config;
    private final Budget bytes;
    private final LoopTurns turns = new LoopTurns();

    AnswerPacking(ServerConfig.Compression config, Budget bytes) {
        this.config = config;
        this.bytes = bytes;
    }

    /**
     * Begins to pack an answer where that is wanted and there is room; without, it stays as it is.
     *
     * @param then run when it is packed, where that is not at once
     */
    void begin(ChannelHandlerContext ctx, Exchange exchange, Runnable then) {
        AnswerText text = exchange.packableText();
        if (text == null || text.length() < config.minBytes()) {
            return;
        }
        GzipWriter writer = GzipWriter.open(text, config.level(), ctx.alloc(), bytes.share());
        if (writer != null && exchange.pack(writer, text.length())) {
            turns.add(ctx.channel().eventLoop(), () -> {
                boolean more = exchange.packMore();
                if (!more) {
                    then.run();
                }
                return more;
            });
        }
    }
}
