package io.weir.transport.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Reservation;
import io.weir.pipeline.RequestAnswer;
import io.weir.transport.answer.AnswerShare;
import io.weir.transport.answer.AnswerStyle;
import io.weir.transport.answer.AnswerText;
import io.weir.transport.answer.HttpAnswers;
import io.weir.transport.coding.GzipWriter;
import io.weir.transport.entry.Rejection;
import io.weir.transport.log.AccessLogEntry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A request and what becomes of it. Listens to the writing of its answer. Confined to its event loop. */
final class Exchange implements ChannelFutureListener {

    private final AnswerStyle style;
    private final Reservation share;
    private final AnswerShare answerShare;
    private final @Nullable AccessLogEntry note;
    private @Nullable RequestAnswer answer;
    private @Nullable Rejection refusal;
    private @Nullable GzipWriter writer;
    private int plainBytes;
    private int status;
    private int sentBytes;
    private @Nullable ByteBuf packed;

    /**
     * A request that waits for its answer.
     *
     * @param note of the request, where notes are taken
     * @param share counts what it holds; closed when nothing of it is left
     */
    Exchange(AnswerStyle style, Reservation share, @Nullable AccessLogEntry note) {
        this.style = style;
        this.note = note;
        this.share = share;
        this.answerShare = new AnswerShare(share);
    }

    AnswerStyle style() {
        return style;
    }

    /** Counts a reply that is kept until the others of its batch are there. */
    void keep(RpcReply reply) {
        answerShare.keep(reply);
    }

    void answer(RequestAnswer given) {
        answerShare.add(given);
        answer = given;
        if (note != null) {
            note.answered(given);
        }
    }

    void refuse(Rejection why) {
        refusal = why;
    }

    /** The answer's text, where the client takes it packed. */
    @Nullable
    AnswerText packableText() {
        return answer == null || !style.gzip() ? null : AnswerText.of(answer);
    }

    /** Begins to pack the answer; whether there is more to do. The writer is this exchange's from here on. */
    boolean pack(GzipWriter gzip, int textBytes) {
        writer = gzip;
        plainBytes = textBytes;
        return packMore();
    }

    /** Packs the next slice; whether there is more to do. */
    boolean packMore() {
        if (writer == null) {
            return false;
        }
        GzipWriter.Progress progress = writer.step();
        if (progress == GzipWriter.Progress.MORE) {
            return true;
        }
        ByteBuf whole = progress == GzipWriter.Progress.WHOLE ? writer.take(share) : null;
        closeWriter();
        if (whole != null && whole.readableBytes() < plainBytes) {
            packed = whole;
        } else if (whole != null) {
            share.give(whole.capacity());
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

    /** Whether its answer can be sent. */
    boolean isReady() {
        return writer == null && (answer != null || refusal != null);
    }

    /** The answer as bytes, which are the caller's; once. */
    ByteBuf bytes(HttpAnswers answers, ByteBufAllocator allocator, AnswerStyle actual) {
        ByteBuf bytes = write(answers, allocator, actual);
        if (note != null) {
            status = HttpAnswers.status(bytes);
            sentBytes = bytes.readableBytes();
        }
        return bytes;
    }

    private ByteBuf write(HttpAnswers answers, ByteBufAllocator allocator, AnswerStyle actual) {
        RequestAnswer given = answer;
        ByteBuf body = packed;
        // What is written is held by the bytes alone.
        answer = null;
        packed = null;
        if (given == null) {
            return answers.refuse(allocator, Objects.requireNonNull(refusal), actual);
        }
        if (body == null) {
            return answers.write(allocator, given, actual);
        }
        share.lowerTo(body.capacity());
        return answers.writePacked(allocator, given, body, actual);
    }

    /**
     * The client will not get its answer, and to it the request has ended. Gives up an answer that is there; one that is still to
     * come finds that out itself.
     */
    void abandon() {
        endUnsent();
        if (answer != null || refusal != null) {
            release();
        }
    }

    /** Lets go of everything. */
    void release() {
        closeWriter();
        if (packed != null) {
            packed.release();
            packed = null;
        }
        answer = null;
        share.close();
        endUnsent();
    }

    private void endUnsent() {
        if (note != null) {
            note.end(0, 0, false);
        }
    }

    /** The answer is on its way, or never will be. */
    @Override
    public void operationComplete(ChannelFuture written) {
        share.close();
        if (note != null) {
            note.end(status, sentBytes, written.isSuccess());
        }
    }
}
