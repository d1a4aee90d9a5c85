package io.weir.transport;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.http2.Http2Pipeline;
import io.weir.transport.http2.PrefaceHandler;
import io.weir.transport.tls.TlsPipeline;
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
}
