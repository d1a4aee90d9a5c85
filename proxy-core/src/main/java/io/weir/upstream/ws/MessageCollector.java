package io.weir.upstream.ws;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.weir.upstream.wire.BodyCollector;
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
        TOO_LARGE
    }

    private final int maxBytes;
    private @Nullable BodyCollector message;

    MessageCollector(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Takes a frame, which stays the caller's. */
    State add(WebSocketFrame frame) {
        // The decoder lets continuations through only where they belong.
        BodyCollector whole = frame instanceof ContinuationWebSocketFrame ? message : null;
        if (whole == null) {
            whole = new BodyCollector(
                    maxBytes, frame.isFinalFragment() ? frame.content().readableBytes() : -1);
        }
        message = whole;
        if (!whole.add(frame.content())) {
            return State.TOO_LARGE;
        }
        return frame.isFinalFragment() ? State.WHOLE : State.PART;
    }

    /** The message that is whole; the collector begins anew. */
    BodyCollector take() {
        BodyCollector whole = message;
        if (whole == null) {
            throw new IllegalStateException("message: none (expected: a whole one)");
        }
        message = null;
        return whole;
    }

    /** How the message begins that is not whole. */
    String beginning() {
        BodyCollector part = message;
        return part == null ? "" : new String(part.bytes(), 0, Math.min(part.length(), LOOKED_AT), ISO_8859_1);
    }
}
