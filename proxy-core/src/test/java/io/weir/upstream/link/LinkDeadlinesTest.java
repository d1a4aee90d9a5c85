package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.limit.Budget;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
import io.weir.upstream.link.HttpConnectionHandler.HttpCodec;
import io.weir.upstream.link.NodeConnector.HostResolvers;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One timer for the deadlines of many calls. */
class LinkDeadlinesTest {

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    /** In minutes, without those of a connection. */
    private final List<Long> timers = new ArrayList<>();

    private final EventLoop loop = new DefaultEventLoop() {
        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            long minutes = Math.round((double) unit.toNanos(delay) / MINUTE);
            if (minutes > 0) {
                timers.add(minutes);
            }
            return super.schedule(command, delay, unit);
        }
    };
    private final NodeAddress address = NodeAddress.ofHttp(URI.create("http://127.0.0.1:1"));
    private final NodeConnector connector =
            new NodeConnector(address, null, NioSocketChannel.class, 1_000, HostResolvers.ofSystem());
    private final StreamLimit streams = new StreamLimit(1, new Meters(new MetricRegistry()));
    private final Link link = new Link(
            loop,
            connector,
            HttpCodec.of(address, Map.of(), false),
            new LinkLimits(1, 1, 100, 1, 1, 1, 1, 1, 1, Budget.unbounded(), streams),
            true,
            () -> null);

    @AfterEach
    void end() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        connector.close();
    }

    @Test
    void onlyAnEarlierDeadlineNeedsAnotherTimer() throws Exception {
        loop.submit(() -> {
                    for (long left : new long[] {4, 6, 4, 2, 8}) {
                        Attempt attempt = Attempt.of(outcome -> {});
                        attempt.setCall(AnsweredCall.CALL);
                        link.send(attempt, false, System.nanoTime() + left * MINUTE);
                    }
                    link.close();
                })
                .get();
        assertThat(timers).containsExactly(4L, 2L);
    }
}
