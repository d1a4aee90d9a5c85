package io.weir.transport.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2LifecycleManager;
import io.netty.handler.codec.http2.Http2Stream;
import io.weir.metrics.OutOfMemory;

/**
 * The life of a connection, as its encoder sees it, with a count of the errors that the encoder finds: Netty tells them to no handler.
 * Confined to its event loop.
 */
record ErrorWatch(Http2LifecycleManager connection, ConnectionErrors errors) implements Http2LifecycleManager {

    @Override
    public void onError(ChannelHandlerContext ctx, boolean outbound, Throwable cause) {
        OutOfMemory.check(cause);
        Http2Exception error = Http2CodecUtil.getEmbeddedHttp2Exception(cause);
        if (error != null && !Http2Exception.isStreamError(error)) {
            errors.count(error.error());
        }
        connection.onError(ctx, outbound, cause);
    }

    @Override
    public void closeStreamLocal(Http2Stream stream, ChannelFuture future) {
        connection.closeStreamLocal(stream, future);
    }

    @Override
    public void closeStreamRemote(Http2Stream stream, ChannelFuture future) {
        connection.closeStreamRemote(stream, future);
    }

    @Override
    public void closeStream(Http2Stream stream, ChannelFuture future) {
        connection.closeStream(stream, future);
    }

    @Override
    public ChannelFuture resetStream(ChannelHandlerContext ctx, int streamId, long errorCode, ChannelPromise promise) {
        return connection.resetStream(ctx, streamId, errorCode, promise);
    }

    @Override
    public ChannelFuture goAway(
            ChannelHandlerContext ctx, int lastStreamId, long errorCode, ByteBuf debugData, ChannelPromise promise) {
        return connection.goAway(ctx, lastStreamId, errorCode, debugData, promise);
    }
}
