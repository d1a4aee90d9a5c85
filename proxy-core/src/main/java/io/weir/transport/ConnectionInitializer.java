package io.weir.transport;

import com.codahale.metrics.Counter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.weir.transport.http.HttpPipeline;

/** The initializer of new connections. Thread-safe. */
final class ConnectionInitializer extends ChannelInitializer<Channel> {

    private static final int FLUSH_AT_LATEST_AFTER = 256;

    private final HttpPipeline http;
    private final long writeTimeoutMillis;
    private final Counter slowReaders;

    ConnectionInitializer(HttpPipeline http, long writeTimeoutMillis, Counter slowReaders) {
        this.http = http;
        this.writeTimeoutMillis = writeTimeoutMillis;
        this.slowReaders = slowReaders;
    }

    @Override
    protected void initChannel(Channel channel) {
        channel.pipeline().addLast(new SlowReaderHandler(writeTimeoutMillis, slowReaders));
        // Answers to one read are flushed together. A later answer is rarely one of several, so it does not wait.
        channel.pipeline().addLast(new FlushConsolidationHandler(FLUSH_AT_LATEST_AFTER, false));
        http.install(channel.pipeline());
    }
}
