package io.weir.transport.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.weir.jsonrpc.ReplyText;
import io.weir.limit.Reservation;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.RequestAnswer;
import io.weir.tracing.TraceHeaders;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.answer.GzipPieces;
import io.weir.transport.answer.GzipWriter;
import io.weir.transport.answer.HttpAnswers;
import io.weir.transport.answer.StreamedAnswer;
import io.weir.transport.log.AccessLogEntry;
import io.weir.transport.request.LoopTurns;
import io.weir.transport.request.Rejection;
import io.weir.transport.request.RequestSource;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A request and its answer, from the sink of the answer to the end of its writing. Confined to its event loop. */
final class Exchange implements AnswerSink, ChannelFutureListener {

    /** The smallest answer that is compressed: a smaller one fits into few packets anyway. */
    private static final int MIN_COMPRESSED_BYTES = 4 << 10;

    private final AnswerStyle style;
    private final Reservation reservation;
    private final @Nullable AccessLogEntry entry;
    private @Nullable RequestSource source;
    private @Nullable Owner owner;
    private @Nullable StreamedAnswer streamed;
    private boolean accepted;
    private boolean left;
    private boolean gone;
    /** Actions that run if the client leaves before its answer. Null until there is one, as for most requests. */
    private @Nullable List<Runnable> whenLeft;

    private @Nullable RequestAnswer answer;
    private @Nullable Rejection rejection;
    private @Nullable Boolean ready;
    private @Nullable GzipWriter writer;
    private int plainBytes;
    private int status;
    private int sentBytes;
    private @Nullable ByteBuf compressed;

    /**
     * @param reservation counts its memory; closed when nothing of it is left
     * @param entry the log entry of the request, or null if the access log is off
     */
    Exchange(AnswerStyle style, Reservation reservation, @Nullable AccessLogEntry entry) {
        this.style = style;
        this.entry = entry;
        this.reservation = reservation;
    }

    AnswerStyle style() {
        return style;
    }

    /** Connection of an exchange. Confined to its event loop. */
    interface Owner {

        /** Takes the answer of running calls. */
        void answered(Exchange exchange, RequestAnswer answer);

        /** Returns whether the answer of an exchange is the next to be sent, and can be sent. */
        boolean isNext(Exchange exchange);
    }

    void cameFrom(@Nullable RequestSource request) {
        source = request;
    }

    @Override
    public @Nullable InetAddress clientAddress() {
        return source == null ? null : source.client();
    }

    @Override
    public @Nullable TraceHeaders traceHeaders() {
        return source == null ? null : source.trace();
    }

    /** Sets the connection that takes the answer of running calls. */
    void ownedBy(Owner connection) {
        owner = connection;
    }

    @Override
    public boolean takesStream() {
        return style.streaming() != AnswerStyle.Streaming.NONE
                && !style.headOnly()
                && owner != null
                && owner.isNext(this);
    }

    @Override
    public void accept(RequestAnswer given) {
        accepted = true;
        whenLeft = null;
        if (owner != null) {
            owner.answered(this, given);
        }
    }

    @Override
    public void whenClientLeaves(Runnable action) {
        if (accepted) {
            return;
        }
        if (left) {
            action.run();
            return;
        }
        if (whenLeft == null) {
            whenLeft = new ArrayList<>(1);
        }
        whenLeft.add(action);
    }

    @Override
    public boolean isGone() {
        return gone;
    }

    /** Notes that the client sends nothing more: most likely it is gone. */
    void clientLeft() {
        left = true;
        List<Runnable> actions = whenLeft;
        whenLeft = null;
        if (actions != null) {
            actions.forEach(Runnable::run);
        }
    }

    void answer(RequestAnswer given) {
        answer = given;
        if (entry != null) {
            entry.answered(given);
        }
    }

    /** Sets the answer that is being sent while it arrives. */
    void streams(RequestAnswer given, StreamedAnswer sending) {
        streamed = sending;
        if (entry != null) {
            entry.answered(given);
        }
    }

    /** Returns the answer that is being sent while it arrives; null if there is none. */
    @Nullable
    StreamedAnswer streamed() {
        return streamed;
    }

    /** Notes that the last byte of such an answer was sent, or that it broke off. */
    void streamEnded(int httpStatus, long bytes, boolean whole) {
        if (entry != null) {
            entry.end(httpStatus, bytes, whole);
        }
        release();
    }

    void reject(Rejection reason) {
        rejection = reason;
    }

    void answerHealthCheck(boolean isReady) {
        ready = isReady;
    }

    /** Returns what compresses an answer that is sent while it arrives, or null if the budget is exhausted. */
    @Nullable
    GzipPieces pieces() {
        return GzipPieces.open(reservation.another());
    }

    /**
     * Starts to compress the answer, whose client accepts that, if it is large enough and the budget allows it. A failure closes the
     * connection.
     *
     * @param turns in which it is compressed, a slice in each
     * @param then runs when the compression is complete, unless that is immediate
     */
    void compress(ChannelHandlerContext ctx, LoopTurns turns, Runnable then) {
        ReplyText text = answer == null ? null : answer.text();
        if (text == null || text.length() < MIN_COMPRESSED_BYTES) {
            return;
        }
        writer = GzipWriter.open(text, ctx.alloc(), reservation.another());
        plainBytes = text.length();
        if (compressMore()) {
            turns.add(
                    ctx.channel().eventLoop(),
                    () -> {
                        boolean more = compressMore();
                        if (!more) {
                            then.run();
                        }
                        return more;
                    },
                    ctx::close);
        }
    }

    /** Compresses the next slice. Returns whether more remains. */
    private boolean compressMore() {
        if (writer == null) {
            return false;
        }
        GzipWriter.Progress progress = writer.step();
        if (progress == GzipWriter.Progress.MORE) {
            return true;
        }
        ByteBuf whole = progress == GzipWriter.Progress.DONE ? writer.take(reservation) : null;
        closeWriter();
        if (whole != null && whole.readableBytes() < plainBytes) {
            compressed = whole;
        } else if (whole != null) {
            reservation.give(whole.capacity());
            whole.release();
        }
        return false;
    }

    private void closeWriter() {
        if (writer != null) {
            writer.close();
            writer = null;
        }
    }

    /** Returns whether its answer can be sent. */
    boolean isReady() {
        return writer == null && streamed == null && isAnswered();
    }

    private boolean isAnswered() {
        return answer != null || rejection != null || ready != null || streamed != null;
    }

    /** Returns the answer as bytes, once. The caller owns them. */
    ByteBuf bytes(HttpAnswers answers, ByteBufAllocator allocator, AnswerStyle actual) {
        ByteBuf bytes = write(answers, allocator, actual);
        if (entry != null) {
            status = HttpAnswers.status(bytes);
            sentBytes = bytes.readableBytes();
        }
        return bytes;
    }

    private ByteBuf write(HttpAnswers answers, ByteBufAllocator allocator, AnswerStyle actual) {
        RequestAnswer given = answer;
        ByteBuf body = compressed;
        // Only the bytes hold the answer from here on.
        answer = null;
        compressed = null;
        if (ready != null) {
            return answers.health(allocator, ready, actual);
        }
        if (given == null) {
            return answers.reject(allocator, Objects.requireNonNull(rejection), actual);
        }
        if (body == null) {
            return answers.write(allocator, given, actual);
        }
        reservation.lowerTo(body.capacity());
        return answers.writeCompressed(allocator, given, body, actual);
    }

    /**
     * Ends a request whose client will not get its answer. Releases an answer that exists already. A later answer is
     * released when it arrives.
     */
    void abandon() {
        gone = true;
        clientLeft();
        endUnsent();
        if (isAnswered()) {
            release();
        }
    }

    void release() {
        closeWriter();
        if (compressed != null) {
            compressed.release();
            compressed = null;
        }
        if (streamed != null) {
            streamed.close();
        }
        answer = null;
        reservation.close();
        endUnsent();
    }

    private void endUnsent() {
        if (entry != null) {
            entry.end(0, 0, false);
        }
    }

    /** The answer was sent, or never will be. */
    @Override
    public void operationComplete(ChannelFuture written) {
        reservation.close();
        if (entry != null) {
            entry.end(status, sentBytes, written.isSuccess());
        }
    }
}
