package io.weir.transport.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.weir.transport.answer.StreamedAnswer;
import io.weir.transport.log.AccessLogEntry;

/** An answer that is sent in fragments of one message while it arrives. Confined to its event loop. */
record StreamedMessage(StreamedAnswer answer, MessageSink sink) {

    /** Sends what comes before the result. */
    void begin(ByteBufAllocator allocator, byte[] before) {
        ByteBuf head = allocator.ioBuffer(before.length).writeBytes(before);
        answer.begin(new TextWebSocketFrame(false, 0, head), before.length);
    }

    /** Sends the end. */
    void end() {
        answer.end().addListener(done -> over(done.isSuccess()));
    }

    /** Gives back what the answer holds. */
    void over(boolean whole) {
        answer.close();
        sink.reservation().close();
        AccessLogEntry entry = sink.entry();
        if (entry != null) {
            entry.end(0, answer.bytes(), whole);
        }
    }
}
