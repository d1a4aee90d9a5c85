package io.weir.bench.restart;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The answer on one HTTP/2 stream. Confined to its event loop. */
final class StreamAnswer extends ChannelInboundHandlerAdapter {

    private final Receiver receiver;
    private final Runnable repeat;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private String status = "none";
    private String end = "the connection was closed";
    private boolean isRefused;
    private boolean isOver;

    /** Receiver of an answer. Confined to the event loop. */
    @FunctionalInterface
    interface Receiver {

        /**
         * Takes the answer once.
         *
         * @param body null if there is none
         * @param failure why there is none
         */
        void answered(byte @Nullable [] body, String failure);
    }

    /** @param repeat runs if the proxy has said that it did not take the call */
    StreamAnswer(Receiver receiver, Runnable repeat) {
        this.receiver = receiver;
        this.repeat = repeat;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object frame) throws IOException {
        try {
            if (frame instanceof Http2HeadersFrame head) {
                status = String.valueOf(head.headers().status());
                endIf(head.isEndStream());
            } else if (frame instanceof Http2DataFrame data) {
                data.content().readBytes(body, data.content().readableBytes());
                endIf(data.isEndStream());
            }
        } finally {
            ReferenceCountUtil.release(frame);
        }
    }

    private void endIf(boolean last) {
        if (last && !isOver) {
            isOver = true;
            boolean good = status.equals("200");
            receiver.answered(good ? body.toByteArray() : null, "status " + status);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof Http2GoAwayFrame) {
            // Only streams that were not taken hear of it.
            isRefused = true;
        } else if (event instanceof Http2ResetFrame reset) {
            end = "reset: " + reset.errorCode();
            isRefused = reset.errorCode() == Http2Error.REFUSED_STREAM.code();
        }
        ReferenceCountUtil.release(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (isOver) {
            return;
        }
        isOver = true;
        if (isRefused) {
            repeat.run();
        } else {
            receiver.answered(null, end);
        }
    }
}
