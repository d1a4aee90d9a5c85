package io.weir.transport.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.ReplyWriter;
import io.weir.transport.answer.AnswerReservation;
import io.weir.transport.answer.StreamedAnswer;
import io.weir.transport.log.AccessLogEntry;
import org.jspecify.annotations.Nullable;

/** An answer that is sent in fragments of one message while it arrives, with what it holds. Confined to its event loop. */
record StreamedMessage(
        StreamedAnswer answer,
        AnswerReservation reservation,
        @Nullable AccessLogEntry entry) {

    private static final ReplyWriter WRITER = new ReplyWriter();

    /** Sends what comes before the result. */
    void begin(ByteBufAllocator allocator, RawJson id) {
        int length = WRITER.lengthBeforeResult(id);
        ByteBuf head = allocator.ioBuffer(length);
        WRITER.writeBeforeResult(id, head::writeBytes);
        answer.begin(new TextWebSocketFrame(false, 0, head), length);
    }

    /** Gives back what the answer holds. */
    void over(boolean whole) {
        answer.close();
        reservation.close();
        if (entry != null) {
            entry.end(0, answer.bytes(), whole);
        }
    }
}
