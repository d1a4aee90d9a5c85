package io.weir.upstream.link;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.weir.config.UpstreamConfig;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.testing.RawNode;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.link.WebSocketConnectionHandler.ReconnectPause;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** WebSocket clients on event loops of their own, and on a clock that the test moves by hand. */
final class SocketBench extends LoopBench<SocketNodeClient> {

    final AtomicLong clock = new AtomicLong();
    long pingMillis = 60_000;
    long renewMillis = 60_000;
    private final Meters meters = new Meters(new MetricRegistry());

    SocketBench(int threads) {
        super(threads);
    }

    @Override
    protected SocketNodeClient open(UpstreamConfig config) {
        return SocketNodeClient.ofWebSocket(
                config,
                resources(),
                CallsInFlight.Unsolicited.counters(meters, "net", "node"),
                new ReconnectPause(clock::get, bound -> bound - 1),
                new SocketNodeClient.Setting(this::tls, connectTimeoutMillis, idleMillis, pingMillis, renewMillis));
    }

    private SocketNodeClient.Resources resources() {
        return new SocketNodeClient.Resources(loops, NioSocketChannel.class, bytes, new StreamLimit(1000, meters));
    }

    SocketNodeClient client(RawNode node) {
        return client("ws://127.0.0.1:" + node.port() + "/");
    }

    long unsolicited(String kind) {
        return meters.counter(Meter.UPSTREAM_UNSOLICITED_MESSAGES, "net", "node", kind)
                .getCount();
    }

    int open(SocketNodeClient client) {
        return CompletableFuture.supplyAsync(() -> client.openConnections(loop), loop)
                .join();
    }

    /** Sends several calls at once. */
    List<CompletableFuture<NodeOutcome>> ask(SocketNodeClient client, int calls, long millis) {
        List<CompletableFuture<NodeOutcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            outcomes.add(ask(client, millis));
        }
        return outcomes;
    }
}
