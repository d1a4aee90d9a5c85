package io.weir.transport.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.PendingWriteQueue;
import io.netty.util.ReferenceCountUtil;
import io.weir.transport.answer.HeapAnswer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * Gives large answers to TLS, or to HTTP/2, in chunks, the next ones once the socket has taken the earlier ones, so that no whole
 * encrypted or framed copy waits for a slow reader. Answers that wait count as unsent bytes of the connection. Confined to its event
 * loop.
 */
public final class AnswerChunkHandler extends ChannelOutboundHandlerAdapter {

    /** Two records of TLS. */
    private static final int CHUNK_BYTES = 1 << 15;

    private static final int MAX_GIVEN_BYTES = 4 * CHUNK_BYTES;

    private @Nullable PendingWriteQueue waiting;
    private int givenBytes;
    private boolean writing;

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        PendingWriteQueue queue = new PendingWriteQueue(ctx);
        waiting = queue;
        ctx.channel().closeFuture().addListener(closed -> queue.removeAndFailAll(new ClosedChannelException()));
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        boolean writable = ctx.channel().isWritable();
        if (!ctx.channel().isOpen()) {
            // Nobody would take it out of the queue any more.
            ReferenceCountUtil.release(message);
            promise.unvoid().tryFailure(new ClosedChannelException());
        } else if (waiting == null || (waiting.isEmpty() && !(message instanceof HeapAnswer))) {
            ctx.write(message, promise);
        } else {
            waiting.add(message, promise.unvoid());
        }
        if (writable && !ctx.channel().isWritable()) {
            // Netty tells it in a later task. Until then the other requests of this read would run.
            ctx.fireChannelWritabilityChanged();
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        writeWaiting(ctx);
        ctx.flush();
    }

    private void writeWaiting(ChannelHandlerContext ctx) {
        if (writing || waiting == null) {
            return;
        }
        writing = true;
        try {
            Object next = waiting.current();
            while (next != null && givenBytes < MAX_GIVEN_BYTES) {
                if (next instanceof HeapAnswer answer) {
                    writeChunk(ctx, answer, waiting);
                } else {
                    waiting.removeAndWrite();
                }
                next = waiting.current();
            }
        } finally {
            writing = false;
        }
    }

    private void writeChunk(ChannelHandlerContext ctx, HeapAnswer answer, PendingWriteQueue queue) {
        ByteBuf chunk = answer.chunk(CHUNK_BYTES);
        int bytes = chunk.readableBytes();
        givenBytes += bytes;
        // The last chunk ends the answer's own promise.
        ChannelPromise promise = answer.isSent() ? queue.remove() : ctx.newPromise();
        ctx.write(chunk, promise).addListener(written -> {
            givenBytes -= bytes;
            if (written.isSuccess() && !queue.isEmpty()) {
                flush(ctx);
            }
        });
    }
}
