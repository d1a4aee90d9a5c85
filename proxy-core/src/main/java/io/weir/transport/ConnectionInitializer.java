package io.weir.transport;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.http2.Http2Pipeline;
import io.weir.transport.http2.PrefaceHandler;
import io.weir.transport.tls.TlsPipeline;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The initializer of new connections. Thread-safe. */
final class ConnectionInitializer extends ChannelInitializer<Channel> {

    private static final int FLUSH_AT_LATEST_AFTER = 256;

    private final HttpPipeline http;
    private final Http2Pipeline http2;
    private final @Nullable TlsPipeline tls;
    private final long writeTimeoutMillis;
    private final Counter slowReaders;

    /**
     * Creates an initializer.
     *
     * @param http2 serves clients that choose HTTP/2
     * @param tls secures the connections; null for plain ones
     */
    ConnectionInitializer(
            HttpPipeline http,
            Http2Pipeline http2,
            @Nullable TlsPipeline tls,
            long writeTimeoutMillis,
            Counter slowReaders) {
        this.tls = tls;
        this.http = http;
        this.http2 = http2;
        this.writeTimeoutMillis = writeTimeoutMillis;
        this.slowReaders = slowReaders;
    }

    @Override
    protected void initChannel(Channel channel) {
        channel.pipeline().addLast(new SlowReaderHandler(writeTimeoutMillis, slowReaders));
        if (tls == null) {
            installPlain(channel.pipeline());
        } else {
            tls.install(channel.pipeline(), this::installSecured);
        }
    }

    private void installPlain(ChannelPipeline pipeline) {
        pipeline.addLast(flushes(), new PrefaceHandler(http2));
        http.install(pipeline);
    }

    private void installSecured(ChannelPipeline pipeline) {
        pipeline.addLast(flushes());
        String chosen = pipeline.get(SslHandler.class).applicationProtocol();
        if (ApplicationProtocolNames.HTTP_2.equals(chosen)) {
            http2.install(pipeline);
        } else {
            http.install(pipeline);
        }
    }

    /** Answers to one read are flushed together. A later answer is rarely one of several, so it does not wait. */
    private static FlushConsolidationHandler flushes() {
        return new FlushConsolidationHandler(FLUSH_AT_LATEST_AFTER, false);
    }

    /**
     * Closes a connection whose client reads none of the bytes waiting for it. It is placed where flushes reach the socket.
     * Only a client that leaves bytes waiting needs a timer. Confined to its event loop.
     */
    private static final class SlowReaderHandler extends ChannelDuplexHandler {

        /** Number of checks within the time allowed. */
        private static final int CHECKS = 4;

        private final long timeoutNanos;
        private final Counter closed;
        private @Nullable Future<?> timer;
        private @Nullable Object waiting;
        private long waitingProgress;
        private long waitingBytes;
        private int checks;

        SlowReaderHandler(long timeoutMillis, Counter closed) {
            this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            this.closed = closed;
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            ctx.flush();
            ChannelOutboundBuffer out = ctx.channel().unsafe().outboundBuffer();
            if (timer == null && out != null && !out.isEmpty()) {
                remember(out);
                checks = 0;
                arm(ctx);
            }
        }

        private void check(ChannelHandlerContext ctx) {
            timer = null;
            Channel channel = ctx.channel();
            ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
            if (out == null || out.isEmpty()) {
                waiting = null;
                return;
            }
            checks = hasMoved(out) ? 0 : checks + 1;
            if (checks < CHECKS) {
                remember(out);
                arm(ctx);
            } else {
                closed.inc();
                ctx.close();
            }
        }

        /**
         * Returns whether the client has read anything since the last check: another message is current, or part of it was
         * sent.
         */
        @SuppressWarnings("ReferenceEquality")
        private boolean hasMoved(ChannelOutboundBuffer out) {
            return out.current() != waiting
                    || out.currentProgress() != waitingProgress
                    || out.totalPendingWriteBytes() < waitingBytes;
        }

        private void remember(ChannelOutboundBuffer out) {
            waiting = out.current();
            waitingProgress = out.currentProgress();
            waitingBytes = out.totalPendingWriteBytes();
        }

        private void arm(ChannelHandlerContext ctx) {
            timer = ctx.executor().schedule(() -> check(ctx), timeoutNanos / CHECKS, TimeUnit.NANOSECONDS);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (timer != null) {
                timer.cancel(false);
            }
            ctx.fireChannelInactive();
        }
    }
}
