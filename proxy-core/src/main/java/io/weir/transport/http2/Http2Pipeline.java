package io.weir.transport.http2;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.request.ConnectionCalls;
import io.weir.transport.request.ListenerContext;
import io.weir.transport.request.ReadPauseHandler;
import io.weir.transport.request.Rejection;
import io.weir.transport.tls.AnswerChunkHandler;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

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

    /**
     * Creates the shared parts of the handlers.
     *
     * @param http adds the handlers of a request to a stream
     */
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
        ResetStreams resets = new ResetStreams();
        ConnectionErrors errors = new ConnectionErrors(this::errors);
        Http2FrameCodec codec = codec(resets, errors);
        ConnectionHandler connection = new ConnectionHandler(codec, listener, limits, errors);
        ConnectionCalls calls = new ConnectionCalls(listener, null, channel.eventLoop());
        pipeline.addLast(new StreamOrderHandler(codec, resets, listener.headAccount(channel), this::countOverload))
                .addLast(codec)
                .addLast(new Http2MultiplexHandler(new StreamInitializer(connection, calls)))
                .addLast(connection);
    }

    private Http2FrameCodec codec(ResetStreams resets, ConnectionErrors errors) {
        ResetWindow bound = new ResetWindow(MAX_RESETS, RESET_SECONDS, System::nanoTime);
        Http2FrameCodec codec = new CodecBuilder(resets, errors, bound)
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
        codec.connection().addListener(resets);
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
}
