package io.weir.upstream.link;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.weir.config.UpstreamConfig;
import io.weir.metrics.Meters;
import io.weir.testing.RawNode;

/** HTTP clients on event loops of their own. */
final class ClientBench extends LoopBench<SocketNodeClient> {

    private final StreamLimit streams = new StreamLimit(1000, new Meters(new MetricRegistry()));

    long renewMillis = 60_000;

    ClientBench(int threads) {
        super(threads);
    }

    @Override
    protected SocketNodeClient open(UpstreamConfig config) {
        return SocketNodeClient.ofHttp(
                config,
                new SocketNodeClient.Resources(loops, NioSocketChannel.class, bytes, streams),
                new SocketNodeClient.Setting(this::tls, connectTimeoutMillis, idleMillis, 60_000, renewMillis),
                null);
    }

    SocketNodeClient client(RawNode node) {
        return client("http://127.0.0.1:" + node.port() + "/");
    }
}
