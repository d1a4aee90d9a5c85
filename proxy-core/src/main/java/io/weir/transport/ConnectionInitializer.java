package io.weir.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.weir.transport.http.HttpPipeline;

/** Fits out new connections. Thread-safe. */
final class ConnectionInitializer extends ChannelInitializer<Channel> {

    private static final int FLUSH_AT_LATEST_AFTER = 256;

    private final HttpPipeline http;

    ConnectionInitializer(HttpPipeline http) {
        this.http = http;
    }

    @Override
    protected void initChannel(Channel channel) {
        // Answers to one read go out together, and so do those that become ready in one turn of the loop.
        channel.pipeline().addLast(new FlushConsolidationHandler(FLUSH_AT_LATEST_AFTER, true));
        http.install(channel.pipeline());
    }
}
