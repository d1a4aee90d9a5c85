package io.weir.transport.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.codahale.metrics.Counter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DecoratingHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2LifecycleManager;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.metrics.OutOfMemory;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.http2.ConnectionHandler.OpenStream;
import io.weir.transport.request.ConnectionCalls;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.ReadPauseHandler;
import io.weir.transport.request.Rejection;
import io.weir.transport.tls.AnswerChunkHandler;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The handlers of an HTTP/2 connection and of its streams, in order. Thread-safe; one for a listener. */
public final class Http2Pipeline {

    /** Streams open at once on one connection; more are refused. Browsers and libraries expect at least a hundred. */
    private static final int MAX_STREAMS = 128;

    /**
     * Streams of one connection that its client may reset in {@link #RESET_SECONDS}, and that may be reset for its errors; over it the
     * connection ends. All calls of a page may be given up at once.
     */
    private static final int MAX_RESETS = 200;

    /** The seconds in which streams that were reset count together. */
    private static final int RESET_SECONDS = 30;

    /** Frames about the connection that wait for a client that does not read: answers to its pings, settings and wrong streams. */
    private static final int MAX_QUEUED_CONTROL_FRAMES = 1000;

    /** The time of each call differs, so that it would displace all else in the table of headers. */
    private static final AsciiString UNINDEXED = AsciiString.cached("server-timing");

    private static final RefusalHandler REFUSAL = new RefusalHandler();

    private final ListenerContext listener;
    private final HttpPipeline http;
    private final Meters meters;
    private final OpenStream.Limits limits;
    private final AtomicInteger open = new AtomicInteger();

    /** @param http adds the handlers of a request to a stream */
    public Http2Pipeline(ListenerContext listener, HttpPipeline http, Meters meters) {
        this.listener = listener;
        this.http = http;
        this.meters = meters;
        this.limits = new OpenStream.Limits(
                listener.config().requestTimeoutMillis(),
                listener.config().writeTimeoutMillis(),
                meters.counter(Meter.SLOW_READERS));
        meters.gauge(Meter.HTTP2_CONNECTIONS, open::get);
    }

    /** Adds the handlers to the pipeline of a connection whose client speaks HTTP/2. */
    public void install(ChannelPipeline pipeline) {
        Channel channel = pipeline.channel();
        open.incrementAndGet();
        channel.closeFuture().addListener(closed -> open.decrementAndGet());
        ConnectionFaults faults = new ConnectionFaults(MAX_RESETS, RESET_SECONDS, System::nanoTime, this::errors);
        Http2FrameCodec codec = codec(faults);
        ConnectionHandler connection = new ConnectionHandler(codec, listener, limits, faults);
        ConnectionCalls calls = new ConnectionCalls(listener, null, channel.eventLoop());
        pipeline.addLast(new StreamOrderHandler(codec, faults, listener.headAccount(channel), this::countOverload))
                .addLast(codec)
                .addLast(new Http2MultiplexHandler(new StreamInitializer(connection, calls)))
                .addLast(connection);
    }

    private Http2FrameCodec codec(ConnectionFaults faults) {
        Http2FrameCodec codec = new CodecBuilder(faults)
                .initialSettings(new Http2Settings()
                        .maxConcurrentStreams(MAX_STREAMS)
                        .maxHeaderListSize(listener.limits().headerBytes()))
                .validateRequiredPseudoHeaders(true)
                .decoderEnforceMaxRstFramesPerWindow(MAX_RESETS, RESET_SECONDS)
                .encoderEnforceMaxQueuedControlFrames(MAX_QUEUED_CONTROL_FRAMES)
                .headerSensitivityDetector((name, value) -> UNINDEXED.contentEquals(name))
                // The streams have time limits of their own.
                .gracefulShutdownTimeoutMillis(-1)
                .build();
        codec.connection().addListener(faults);
        // From the beginning, and not only once the client has acknowledged the settings.
        codec.connection().remote().maxActiveStreams(MAX_STREAMS);
        return codec;
    }

    private void countOverload() {
        listener.rejections().count(Rejection.Reason.OVERLOAD);
    }

    private Counter errors(Http2Error code) {
        return meters.counter(Meter.HTTP2_ERRORS, code.name().toLowerCase(Locale.ROOT));
    }

    /** The handlers of the streams of one connection. Confined to its event loop. */
    private final class StreamInitializer extends ChannelInitializer<Channel> {

        private final ConnectionHandler connection;
        private final ConnectionCalls calls;

        StreamInitializer(ConnectionHandler connection, ConnectionCalls calls) {
            this.connection = connection;
            this.calls = calls;
        }

        @Override
        public boolean isSharable() {
            return true;
        }

        @Override
        protected void initChannel(Channel channel) {
            if (connection.refuses(((Http2StreamChannel) channel).stream().id())) {
                channel.pipeline().addLast(REFUSAL);
                return;
            }
            RequestFrameHandler request = new RequestFrameHandler(listener.limits());
            AnswerFrameHandler answer = new AnswerFrameHandler(request);
            channel.pipeline().addLast(request).addLast(answer).addLast(new AnswerChunkHandler());
            ReadPauseHandler pause = http.installStream(channel.pipeline(), calls);
            OpenStream stream = new OpenStream(channel, request, answer, pause);
            connection.add(stream);
            channel.closeFuture().addListener(closed -> connection.remove(stream));
        }
    }

    /** Refuses a stream, so that the client may send its request again elsewhere. Thread-safe. */
    @ChannelHandler.Sharable
    private static final class RefusalHandler extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object frame) {
            ReferenceCountUtil.release(frame);
            ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
            ctx.close();
        }
    }

    /**
     * The builder of a codec that resets each stream once, however much of it was under way, and counts the errors that it finds while it
     * writes. It bounds the streams that the client lets the proxy reset. Confined to its event loop.
     */
    private static final class CodecBuilder extends Http2FrameCodecBuilder {

        private final ConnectionFaults faults;

        CodecBuilder(ConnectionFaults faults) {
            this.faults = faults;
            server(true);
            // Netty's own bound counts failures of the proxy and of nodes too.
            encoderEnforceMaxRstFramesPerWindow(0, 0);
        }

        @Override
        protected Http2FrameCodec build(
                Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings initialSettings) {
            return super.build(decoder, new Encoder(encoder), initialSettings);
        }

        /** The encoder that Netty asks to reset a stream again for each of its late frames. Confined to its event loop. */
        private final class Encoder extends DecoratingHttp2ConnectionEncoder {

            private @Nullable Http2LifecycleManager watched;

            Encoder(Http2ConnectionEncoder encoder) {
                super(encoder);
            }

            @Override
            public void lifecycleManager(Http2LifecycleManager connection) {
                watched = new ErrorWatch(connection, faults);
                super.lifecycleManager(watched);
            }

            @Override
            public ChannelFuture writeRstStream(
                    ChannelHandlerContext ctx, int streamId, long errorCode, ChannelPromise promise) {
                if (connection().stream(streamId) == null) {
                    if (faults.isResetByProxy(streamId)) {
                        return promise.setSuccess();
                    }
                    create(streamId);
                }
                ChannelFuture written = super.writeRstStream(ctx, streamId, errorCode, promise);
                if (isOfClient(errorCode) && !faults.admitsReset() && watched != null) {
                    watched.onError(
                            ctx,
                            true,
                            Http2Exception.connectionError(
                                    Http2Error.ENHANCE_YOUR_CALM, "streams: too many were reset"));
                    ctx.close();
                }
                return written;
            }

            /** Returns whether a stream is reset for what its client sent, and not for a failure of the proxy or of a node, or a slow reader. */
            private static boolean isOfClient(long errorCode) {
                return errorCode != Http2Error.INTERNAL_ERROR.code()
                        && errorCode != Http2Error.CANCEL.code()
                        && errorCode != Http2Error.NO_ERROR.code();
            }

            /**
             * Creates the stream of a request that Netty found malformed, or one too many, before it created the stream. Otherwise it would take
             * the rest of the request for an error of the connection.
             */
            private void create(int streamId) {
                Http2Connection.Endpoint<?> client = connection().remote();
                if (!client.isValidStreamId(streamId) || connection().streamMayHaveExisted(streamId)) {
                    return;
                }
                int max = client.maxActiveStreams();
                client.maxActiveStreams(Integer.MAX_VALUE);
                try {
                    client.createStream(streamId, false);
                } catch (Http2Exception e) {
                    // It came after the last stream that the client was told of: Netty drops all of its frames.
                } finally {
                    client.maxActiveStreams(max);
                }
            }
        }

        /**
         * The life of a connection, as its encoder sees it, with a count of the errors that the encoder finds: Netty tells them to no handler.
         * Confined to its event loop.
         */
        private record ErrorWatch(Http2LifecycleManager connection, ConnectionFaults faults)
                implements Http2LifecycleManager {

            @Override
            public void onError(ChannelHandlerContext ctx, boolean outbound, Throwable cause) {
                OutOfMemory.check(cause);
                Http2Exception error = Http2CodecUtil.getEmbeddedHttp2Exception(cause);
                if (error != null && !Http2Exception.isStreamError(error)) {
                    faults.count(error.error());
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
            public ChannelFuture resetStream(
                    ChannelHandlerContext ctx, int streamId, long errorCode, ChannelPromise promise) {
                return connection.resetStream(ctx, streamId, errorCode, promise);
            }

            @Override
            public ChannelFuture goAway(
                    ChannelHandlerContext ctx,
                    int lastStreamId,
                    long errorCode,
                    ByteBuf debugData,
                    ChannelPromise promise) {
                return connection.goAway(ctx, lastStreamId, errorCode, debugData, promise);
            }
        }
    }

    /**
     * Looks at the first bytes of a connection, in front of the handlers of HTTP/1.1, and replaces those if the client begins with HTTP/2.
     * It then removes itself. Confined to its event loop.
     */
    public static final class PrefaceHandler extends ChannelInboundHandlerAdapter {

        /** The method of the preface of HTTP/2, which no request of HTTP/1.1 has. */
        private static final ByteBuf METHOD = Unpooled.unreleasableBuffer(
                Unpooled.wrappedBuffer("PRI ".getBytes(US_ASCII)).asReadOnly());

        private final Http2Pipeline http2;

        /** Fewer bytes than tell; null if none. */
        private @Nullable ByteBuf begun;

        public PrefaceHandler(Http2Pipeline http2) {
            this.http2 = http2;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            if (begun != null) {
                bytes = Unpooled.wrappedBuffer(begun, bytes);
                begun = null;
            }
            int compared = Math.min(METHOD.readableBytes(), bytes.readableBytes());
            boolean preface = ByteBufUtil.equals(bytes, bytes.readerIndex(), METHOD, 0, compared);
            if (preface && compared < METHOD.readableBytes()) {
                begun = bytes;
                return;
            }
            ChannelPipeline pipeline = ctx.pipeline();
            if (preface) {
                HttpPipeline.remove(pipeline);
                pipeline.remove(ReadPauseHandler.class);
                http2.install(pipeline);
            }
            pipeline.remove(this);
            ctx.fireChannelRead(bytes);
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            if (begun != null) {
                begun.release();
                begun = null;
            }
        }
    }
}
