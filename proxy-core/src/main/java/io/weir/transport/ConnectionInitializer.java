package io.weir.transport;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.weir.transport.http.HttpPipeline;
import io.weir.transport.tls.TlsPipeline;
import org.jspecify.annotations.Nullable;

/** The initializer of new connections. Thread-safe. */
final class ConnectionInitializer extends ChannelInitializer<Channel> {

    private static final int FLUSH_AT_LATEST_AFTER = 256;

    private final HttpPipeline http;
    private final @Nullable TlsPipeline tls;
    private final long writeTimeoutMillis;
    private final Counter slowReaders;

    /**
     * Creates an initializer.
     *
     * @param tls secures the connections; null for plain ones
     */
    ConnectionInitializer(HttpPipeline http, @Nullable TlsPipeline tls, long writeTimeoutMillis, Counter slowReaders) {
        this.tls = tls;
        this.http = http;
        this.writeTimeoutMillis = writeTimeoutMillis;
        this.slowReaders = slowReaders;
    }

    @Override
    protected void initChannel(Channel channel) {
        channel.pipeline().addLast(new SlowReaderHandler(writeTimeoutMillis, slowReaders));
        if (tls == null) {
            installHttp(channel.pipeline());
        } else {
            tls.install(channel.pipeline(), this::installHttp);
        }
    }

    private void installHttp(ChannelPipeline pipeline) {
        // Answers to one read are flushed together. A later answer is rarely one of several, so it does not wait.
        pipeline.addLast(new FlushConsolidationHandler(FLUSH_AT_LATEST_AFTER, false));
        http.install(pipeline);
    }
}
