package io.weir.upstream.ws;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.upstream.wire.BodyCollector;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Puts frames together to messages, text and binary alike. Confined to its event loop. */
final class MessageCollector {

    private static final int LOOKED_AT = 128;

    /** How far a message is. */
    enum State {
        /** More frames are to come. */
        PART,
        /** It can be taken. */
        WHOLE,
        /** It is over the bound. */
        TOO_LARGE,
        /** There is no room for it. */
        NO_ROOM
    }

    private final int maxBytes;
    private final Budget bytes;
    private final Reservation frames;
    private @Nullable BodyCollector message;

    /**
     * Begins empty.
     *
     * @param frames counts what has arrived of a frame that was not whole
     */
    MessageCollector(int maxBytes, Budget bytes, Reservation frames) {
        this.maxBytes = maxBytes;
        this.bytes = bytes;
        this.frames = frames;
    }

    /** Takes a frame, which stays the caller's. */
    State add(WebSocketFrame frame) {
        int size = frame.content().readableBytes();
        // The decoder lets continuations through only where they belong.
        BodyCollector whole = frame instanceof ContinuationWebSocketFrame ? message : null;
        if (whole == null) {
            whole = new BodyCollector(maxBytes, frame.isFinalFragment() ? size : -1, bytes.share());
        }
        message = whole;
        whole.share().takeOver(frames, size);
        return switch (whole.add(frame.content())) {
            case TOO_LARGE -> State.TOO_LARGE;
            case NO_ROOM -> State.NO_ROOM;
            case WHOLE -> frame.isFinalFragment() ? State.WHOLE : State.PART;
        };
    }

    /** The message that is whole, whose share is the caller's to close; the collector begins anew. */
    BodyCollector take() {
        BodyCollector whole = message;
        if (whole == null) {
            throw new IllegalStateException("message: none (expected: a whole one)");
        }
        message = null;
        return whole;
    }

    /** The id that the message answers which is not whole; -1 where its beginning does not tell. */
    long id() {
        return AnswerDecoder.idIn(beginning());
    }

    /** The same, or by other means where nothing of the message was taken. */
    long idOr(LongSupplier other) {
        return beginning().isEmpty() ? other.getAsLong() : id();
    }

    /** How the message begins that is not whole. */
    private String beginning() {
        BodyCollector part = message;
        return part == null ? "" : new String(part.bytes(), 0, Math.min(part.length(), LOOKED_AT), ISO_8859_1);
    }

    /** Gives up the message that is not whole. */
    void forget() {
        if (message != null) {
            message.share().close();
            message = null;
        }
    }
}
