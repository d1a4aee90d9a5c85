package io.weir.upstream.ws;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.upstream.wire.BodyCollector;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Collector that joins frames to messages, text and binary alike. Confined to its event loop. */
final class MessageCollector {

    private static final int LOOKED_AT = 128;

    /** State of a message. */
    enum State {
        /** More frames must follow. */
        PART,
        /** The message is complete. */
        WHOLE,
        /** The message exceeds the maximum size. */
        TOO_LARGE,
        /** There is no budget for the message. */
        OVER_BUDGET
    }

    private final int maxBytes;
    private final Budget bytes;
    private final Reservation frames;
    private @Nullable BodyCollector message;

    /** @param frames counts the bytes of an incomplete frame */
    MessageCollector(int maxBytes, Budget bytes, Reservation frames) {
        this.maxBytes = maxBytes;
        this.bytes = bytes;
        this.frames = frames;
    }

    /** Adds a frame. The caller keeps its ownership. */
    State add(WebSocketFrame frame) {
        int size = frame.content().readableBytes();
        // The decoder accepts continuations only in the right order.
        BodyCollector whole = frame instanceof ContinuationWebSocketFrame ? message : null;
        if (whole == null) {
            whole = new BodyCollector(maxBytes, frame.isFinalFragment() ? size : -1, bytes.reserve());
        }
        message = whole;
        whole.reservation().takeOver(frames, size);
        return switch (whole.add(frame.content())) {
            case TOO_LARGE -> State.TOO_LARGE;
            case OVER_BUDGET -> State.OVER_BUDGET;
            case WHOLE -> frame.isFinalFragment() ? State.WHOLE : State.PART;
        };
    }

    /** Returns the complete message and starts a new one. The caller must close its reservation. */
    BodyCollector take() {
        BodyCollector whole = message;
        if (whole == null) {
            throw new IllegalStateException("message: none (expected: a whole one)");
        }
        message = null;
        return whole;
    }

    /** Returns the id that the incomplete message answers; -1 if its beginning does not contain it. */
    long id() {
        return AnswerDecoder.idIn(beginning());
    }

    /** Returns the same id, or the other one if nothing of the message was added yet. */
    long idOr(LongSupplier other) {
        return beginning().isEmpty() ? other.getAsLong() : id();
    }

    /** Returns the beginning of the incomplete message. */
    private String beginning() {
        BodyCollector part = message;
        return part == null ? "" : new String(part.bytes(), 0, Math.min(part.length(), LOOKED_AT), ISO_8859_1);
    }

    /** Abandons the incomplete message. */
    void forget() {
        if (message != null) {
            message.reservation().close();
            message = null;
        }
    }
}
