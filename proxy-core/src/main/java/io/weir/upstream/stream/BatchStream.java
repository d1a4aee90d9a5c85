package io.weir.upstream.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.ReplyWriter;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.RateLimitedLogger;
import io.weir.upstream.AttemptHandle;
import io.weir.upstream.ResultStream;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The replies of a batch as one text, with commas between them, that goes out in the order of the calls while replies are still to come.
 * One of them at a time may be a result that arrives. Nothing is passed on while the client takes nothing. Confined to the event loop of
 * the batch.
 */
public final class BatchStream implements ResultStream, ResultStream.Receiver {

    private static final RateLimitedLogger LOG = new RateLimitedLogger(LoggerFactory.getLogger(BatchStream.class));
    private static final ReplyWriter WRITER = new ReplyWriter();

    /** Bytes up to which small replies are joined. */
    private static final int JOINED_BYTES = 1 << 14;

    /** Bytes after which it is looked whether the client takes more. */
    private static final int SLICE_BYTES = 1 << 16;

    private final List<RawJson> ids;
    private final EventLoop loop;
    private final Batch batch;

    /** What goes out next. */
    private final Queue<ByteBuf> pieces = new ArrayDeque<>();
    /** What has arrived of the result that goes on, and waits for what goes out before it. */
    private final Queue<ByteBuf> arrived = new ArrayDeque<>();

    private @Nullable Receiver receiver;
    /** The place of the reply that goes out next. */
    private int place;
    /** The result that goes on while it arrives; null if there is none. */
    private @Nullable ResultStream result;
    /** Whether what comes before that result has gone out, or is about to. */
    private boolean inResult;

    private boolean resultEnded;
    /** The large reply that is going out. */
    private RpcReply.@Nullable Result large;

    private boolean paused;
    private boolean woken;
    private boolean passing;
    private boolean failed;
    private boolean over;
    private boolean closed;

    /** The batch whose replies go out. Confined to its event loop. */
    public interface Batch {

        /** Returns the reply with this place; null if it has not come. */
        @Nullable
        RpcReply reply(int place);

        /** Learns that a reply goes out, and is not held any more. */
        void passedOn(RpcReply reply);

        /** Learns of bytes of the result that goes on while it arrives. */
        void streamed(int bytes);

        /** Learns that all of this result has gone out, so that another one may go on. */
        void streamEnded();

        /** Learns that some replies have gone out, or all of them. */
        void goOn();

        /** Learns that nothing goes out any more. */
        void closed();
    }

    /** Begins without a client; see {@link #begin}. */
    public BatchStream(List<RawJson> ids, EventLoop loop, Batch batch) {
        this.ids = ids;
        this.loop = loop;
        this.batch = batch;
    }

    /** Returns whether all replies before a place have gone out. */
    public boolean hasSent(int end) {
        return place >= end && !inResult && large == null && pieces.isEmpty();
    }

    /** Learns that a reply has come. */
    public void replied() {
        wakeLater();
    }

    /** Takes over the result of the first call without a reply. It is the only one that goes on while it arrives. */
    public void stream(ResultStream next) {
        result = next;
        resultEnded = false;
        next.begin(this);
        follow();
        wakeLater();
    }

    @Override
    public void begin(Receiver taker) {
        receiver = taker;
        wakeLater();
    }

    @Override
    public boolean isBegun() {
        return receiver != null;
    }

    @Override
    public void carriedBy(AttemptHandle attempt) {
        throw new UnsupportedOperationException("each result of a batch has an attempt of its own");
    }

    @Override
    public void pause() {
        paused = true;
        follow();
    }

    @Override
    public void resume() {
        if (paused) {
            paused = false;
            wakeLater();
        }
    }

    private void wakeLater() {
        if (!woken && !paused) {
            woken = true;
            loop.execute(this::wake);
        }
    }

    private void wake() {
        woken = false;
        Receiver taker = receiver;
        if (taker == null || over || closed) {
            return;
        }
        try {
            passOn(taker);
            if (!over && !closed) {
                taker.flush();
            }
        } catch (RuntimeException | Error e) {
            LOG.warn("a batch could not be sent", e);
            fail();
        }
    }

    private void passOn(Receiver taker) {
        passing = true;
        try {
            while (!paused && !closed && !failed) {
                ByteBuf piece = pieces.peek();
                if (piece == null) {
                    if (!fill()) {
                        break;
                    }
                } else if (piece.readableBytes() > SLICE_BYTES) {
                    taker.take(piece.readRetainedSlice(SLICE_BYTES));
                } else {
                    pieces.remove();
                    taker.take(piece);
                }
            }
        } finally {
            passing = false;
        }
        follow();
        if (failed) {
            end(taker, false);
        } else if (place == ids.size() && pieces.isEmpty() && !closed) {
            // Notifications may wait behind the last reply, and none of them begins once the batch is over.
            batch.goOn();
            end(taker, true);
        } else if (!closed) {
            batch.goOn();
        }
    }

    /** Makes the next pieces. Returns false if there are none yet. */
    private boolean fill() {
        if (large != null) {
            batch.passedOn(large);
            large = null;
        }
        if (inResult) {
            return fillFromResult();
        }
        RpcReply reply = place == ids.size() ? null : batch.reply(place);
        if (reply == null) {
            return false;
        }
        if (reply instanceof RpcReply.Streamed) {
            pieces.add(beforeResult());
            inResult = true;
        } else if (reply instanceof RpcReply.Result value && value.value().length() > JOINED_BYTES) {
            pieces.add(beforeResult());
            pieces.add(Unpooled.wrappedBuffer(
                    value.value().array(), value.value().offset(), value.value().length()));
            pieces.add(afterResult());
            large = value;
            place++;
        } else {
            join(reply);
        }
        return true;
    }

    private boolean fillFromResult() {
        ResultStream ended = result;
        if (!arrived.isEmpty()) {
            pieces.addAll(arrived);
            arrived.clear();
        } else if (resultEnded && ended != null) {
            result = null;
            inResult = false;
            place++;
            ended.close();
            pieces.add(afterResult());
            // Not before, because the next result would take the place of this one.
            batch.streamEnded();
        } else {
            return false;
        }
        return true;
    }

    private void join(RpcReply first) {
        ByteBuf joined = ByteBufAllocator.DEFAULT.buffer(JOINED_BYTES);
        pieces.add(joined);
        RpcReply next = first;
        while (next != null && isSmall(next) && joined.readableBytes() < JOINED_BYTES) {
            separate(joined);
            WRITER.write(ids.get(place), next, joined::writeBytes);
            place++;
            batch.passedOn(next);
            next = place == ids.size() ? null : batch.reply(place);
        }
    }

    private static boolean isSmall(RpcReply reply) {
        return reply instanceof RpcReply.Failure
                || (reply instanceof RpcReply.Result value && value.value().length() <= JOINED_BYTES);
    }

    private ByteBuf beforeResult() {
        ByteBuf before = ByteBufAllocator.DEFAULT.buffer(1 + WRITER.lengthBeforeResult(ids.get(place)));
        separate(before);
        WRITER.writeBeforeResult(ids.get(place), before::writeBytes);
        return before;
    }

    private void separate(ByteBuf text) {
        if (place > 0) {
            text.writeByte(',');
        }
    }

    private static ByteBuf afterResult() {
        return ByteBufAllocator.DEFAULT.buffer(1).writeByte(ReplyWriter.AFTER_RESULT);
    }

    /** Pauses the result that goes on while something else is to go out. */
    private void follow() {
        ResultStream next = result;
        if (next == null || resultEnded) {
            return;
        }
        if (!paused && inResult && pieces.isEmpty()) {
            next.resume();
        } else {
            next.pause();
        }
    }

    @Override
    public void take(ByteBuf piece) {
        Receiver taker = receiver;
        if (over || closed) {
            piece.release();
            return;
        }
        batch.streamed(piece.readableBytes());
        if (taker != null && !passing && !paused && inResult && pieces.isEmpty() && arrived.isEmpty()) {
            taker.take(piece);
        } else {
            arrived.add(piece);
            wakeLater();
        }
    }

    @Override
    public void flush() {
        if (receiver != null && !over && !closed) {
            receiver.flush();
        }
    }

    @Override
    public void ended(boolean whole) {
        resultEnded = true;
        if (whole && !closed) {
            wakeLater();
        } else if (!whole) {
            fail();
        }
    }

    /** The client must not take what it has for the whole. */
    private void fail() {
        failed = true;
        if (receiver != null && !passing) {
            end(receiver, false);
        }
    }

    private void end(Receiver taker, boolean whole) {
        if (!over && !closed) {
            over = true;
            taker.ended(whole);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        pieces.forEach(ByteBuf::release);
        pieces.clear();
        arrived.forEach(ByteBuf::release);
        arrived.clear();
        if (result != null) {
            result.close();
            result = null;
        }
        batch.closed();
    }
}
