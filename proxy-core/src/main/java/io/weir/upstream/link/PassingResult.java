package io.weir.upstream.link;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.JsonSyntaxException.Kind;
import io.weir.jsonrpc.text.PieceScanner;
import io.weir.jsonrpc.text.PieceScanner.ElementReader;
import io.weir.limit.Reservation;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.upstream.ResultStream;
import io.weir.upstream.stream.GuardedReceiver;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The result of an answer that arrives while it goes on to its client. The envelope around it is kept: with {@code []} in place of the
 * result it is read like any other answer in the end. Its connection feeds and ends it. Confined to its event loop.
 */
final class PassingResult implements ResultStream {

    /** Bytes that are between the node's socket and the client's at most, apart from those that came before the decision. */
    private static final int WINDOW_BYTES = 1 << 18;

    /** Bytes of the envelope behind the result. */
    private static final int MAX_TAIL_BYTES = 1 << 12;

    private static final byte[] PLACEHOLDER = {'[', ']'};

    private final HttpConnectionHandler connection;
    private final AnswerResources shared;
    private final Reservation reservation;
    private final Reservation place;
    private final long leastBytes;
    private final PieceScanner scanner = new PieceScanner();

    /** The envelope, without the result. */
    private byte[] envelope;

    private int envelopeBytes;
    private @Nullable GuardedReceiver receiver;
    private @Nullable Attempt attempt;
    private @Nullable ScheduledFuture<?> silence;
    private long heardNanos;
    private boolean paused;
    /** Whether the node has nothing more to send. */
    private boolean arrived;

    private PassingResult(
            HttpConnectionHandler connection,
            AnswerResources shared,
            Reservation reservation,
            Reservation place,
            long bodyBytes) {
        this.connection = connection;
        this.shared = shared;
        this.reservation = reservation;
        this.place = place;
        this.leastBytes = Math.max(0, bodyBytes - MAX_TAIL_BYTES);
        this.envelope = PLACEHOLDER;
    }

    /**
     * Offers the result of an answer to its call, if the bounds allow that. Returns null if it was not taken.
     *
     * @param reservation counts the window; given back with the result, if it was taken
     * @param bodyBytes of the answer from the result on; negative if unknown
     */
    static @Nullable PassingResult offer(
            HttpConnectionHandler connection,
            AnswerResources shared,
            Reservation reservation,
            Attempt call,
            long bodyBytes) {
        Reservation place = shared.limits().streams().open(call.holder());
        if (place == null) {
            return null;
        }
        long more = WINDOW_BYTES - reservation.taken();
        if (more <= 0 || reservation.tryAdd(more)) {
            PassingResult result = new PassingResult(connection, shared, reservation, place, bodyBytes);
            if (call.stream(result)) {
                return result;
            }
        }
        place.close();
        return null;
    }

    @Override
    public long leastBytes() {
        return leastBytes;
    }

    @Override
    public void show(ElementReader reader) {
        scanner.show(reader);
    }

    @Override
    public void begin(Receiver taker) {
        GuardedReceiver guarded = new GuardedReceiver(this, taker);
        receiver = guarded;
        if (arrived) {
            guarded.ended(false);
        }
    }

    @Override
    public boolean isBegun() {
        return receiver != null;
    }

    @Override
    public void carriedBy(Attempt carrier) {
        attempt = carrier;
    }

    /**
     * Takes the bytes that arrived before the decision.
     *
     * @param held not modified any more
     * @param start of the result
     * @return the flaw of the answer; null if there is none so far
     */
    @Nullable
    Failed start(byte[] held, int start, int length) {
        envelope = Arrays.copyOf(held, start + PLACEHOLDER.length + MAX_TAIL_BYTES);
        System.arraycopy(PLACEHOLDER, 0, envelope, start, PLACEHOLDER.length);
        envelopeBytes = start + PLACEHOLDER.length;
        heardNanos = System.nanoTime();
        listen(shared.limits().silenceNanos());
        ByteBuf rest = Unpooled.wrappedBuffer(held, start, length - start);
        try {
            return take(rest);
        } finally {
            rest.release();
        }
    }

    /** Takes the next bytes of the answer, which remain the caller's. Returns the flaw of the answer; null if there is none so far. */
    @Nullable
    Failed take(ByteBuf content) {
        heardNanos = System.nanoTime();
        try {
            int of = scanner.ended() ? 0 : scan(content);
            GuardedReceiver taker = receiver;
            if (of > 0 && taker != null) {
                taker.take(content.readRetainedSlice(of));
            }
        } catch (JsonSyntaxException e) {
            boolean deep = e.kind() == Kind.TOO_DEEP;
            return Failed.of(deep ? Flaw.TOO_DEEP : Flaw.NOT_JSON, "a result that is not JSON");
        }
        int tail = content.readableBytes();
        if (tail > envelope.length - envelopeBytes) {
            return Failed.of(Flaw.TRAILING_BYTES, "a long envelope behind the result");
        }
        content.readBytes(envelope, envelopeBytes, tail);
        envelopeBytes += tail;
        return null;
    }

    /** Returns how many of the bytes belong to the result. */
    private int scan(ByteBuf content) throws JsonSyntaxException {
        byte[] scratch = shared.scratch();
        int length = content.readableBytes();
        int scanned = 0;
        while (scanned < length && !scanner.ended()) {
            int step = Math.min(scratch.length, length - scanned);
            content.getBytes(content.readerIndex() + scanned, scratch, 0, step);
            scanned += scanner.pass(scratch, 0, step, scanned + step < length);
        }
        return scanned;
    }

    void flush() {
        if (receiver != null) {
            receiver.flush();
        }
    }

    /** Ends with the end of the node's answer, and returns its meaning. */
    NodeOutcome finish(Attempt wanted, int status) {
        boolean whole = false;
        try {
            NodeOutcome outcome = scanner.ended()
                    ? ReplyVerdict.of(wanted, status, envelope, envelopeBytes, null)
                    : Failed.of(Flaw.TRUNCATED, "a result that is cut off");
            whole = outcome instanceof NodeOutcome.Answered;
            return outcome;
        } finally {
            end(whole);
        }
    }

    /** Ends the result, if it has not ended. */
    void end(boolean whole) {
        if (arrive() && receiver != null) {
            receiver.ended(whole);
        }
    }

    /** Notes that the node has nothing more to send. Returns false if that was known. */
    private boolean arrive() {
        boolean first = !arrived;
        arrived = true;
        if (silence != null) {
            silence.cancel(false);
        }
        return first;
    }

    private void listen(long nanos) {
        silence = shared.loop().schedule(this::checkSilence, nanos, TimeUnit.NANOSECONDS);
    }

    /** A node that sends nothing for its time of an attempt has failed, unless nobody reads it. */
    private void checkSilence() {
        long now = System.nanoTime();
        if (paused) {
            heardNanos = now;
        }
        long left = shared.limits().silenceNanos() - (now - heardNanos);
        if (left > 0) {
            listen(left);
        } else {
            connection.fellSilent();
        }
    }

    @Override
    public void pause() {
        if (!paused && !arrived) {
            paused = true;
            connection.read(false);
        }
    }

    @Override
    public void resume() {
        if (paused) {
            paused = false;
            heardNanos = System.nanoTime();
            if (!arrived) {
                connection.read(true);
            }
        }
    }

    @Override
    public void close() {
        reservation.close();
        place.close();
        if (arrive() && attempt != null) {
            attempt.cancel();
        }
    }
}
