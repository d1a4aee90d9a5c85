package io.weir.pipeline.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.weir.access.TestCaller;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallGuard;
import io.weir.pipeline.ClientPresence;
import io.weir.pipeline.ReplyCheck;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Route;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.Attempt;
import io.weir.upstream.FakeHead;
import io.weir.upstream.FakeStream;
import io.weir.upstream.FixedPool;
import io.weir.upstream.LatencyClass;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.ResultStream;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Attempts whose results go on to the client while they arrive. */
class StreamedAttemptsTest {

    private static final String METHOD = "eth_getBalance";

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final Node a = new Node("a");
    private final Node b = new Node("b");
    private final FixedPool pool = new FixedPool(new FakeHead(1), a, b) {
        @Override
        public long usualNanos(LatencyClass latencyClass) {
            return TimeUnit.MILLISECONDS.toNanos(40);
        }
    };
    private final FakeStream stream = new FakeStream();
    private final List<RpcReply> replies = new ArrayList<>();
    private boolean clientTakes = true;
    private ReplyCheck judge;

    private static final class Node implements Upstream {
        private final String id;
        final List<Attempt> open = new ArrayList<>();
        int givenUp;

        Node(String id) {
            this.id = id;
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
            attempt.cancelledBy(given -> givenUp++);
            open.add(attempt);
        }

        @Override
        public UpstreamStatus status() {
            return new UpstreamStatus(id, 0, 1, false, UpstreamStatus.Health.HEALTHY, 1, open.size(), 0, "");
        }
    }

    private static final class Taker implements ResultStream.Receiver {
        @Override
        public void take(ByteBuf bytes) {
            bytes.release();
        }

        @Override
        public void flush() {}

        @Override
        public void ended(boolean whole) {}
    }

    private CallContext call(boolean streams) {
        long now = ticker.nanoTime();
        CallContext context = new CallContext(
                new RpcCall(RawJson.of("1"), METHOD, null),
                TestCaller.CLIENT,
                Fixture.NETWORK,
                channel.eventLoop(),
                now,
                now + TimeUnit.MINUTES.toNanos(1),
                new ClientPresence() {
                    @Override
                    public void whenClientLeaves(Runnable action) {}

                    @Override
                    public boolean takesStream() {
                        return clientTakes;
                    }
                });
        if (streams) {
            context.setRoute(Route.STREAMING);
        }
        return context;
    }

    private CallContext run(CallContext context, ReplySink sink) {
        ForwardStage stage = TestForwarding.stage(
                pool,
                NetworkSettings.of("net", TestForwarding.NO_WAITS, "balance { hedge-percent = 100 }")
                        .balance(),
                new MetricRegistry(),
                ticker::nanoTime);
        new CallGuard(context, sink).pass(TestForwarding.judged(stage, judge));
        return context;
    }

    private CallContext run(CallContext context) {
        return run(context, reply -> {
            replies.add(reply);
            if (reply instanceof ResultStream begun) {
                begun.begin(new Taker());
            }
        });
    }

    private void hedge() {
        ticker.advanceMillis(60_000 - 1);
        channel.runPendingTasks();
        channel.runScheduledPendingTasks();
        assertThat(b.open).hasSize(1);
    }

    @Test
    void theStreamEndsTheCallAndGivesUpTheAttemptBesideIt() {
        CallContext context = run(call(true));
        hedge();
        Attempt carrying = b.open.get(0);
        assertThat(carrying.isCollected()).isFalse();
        assertThat(carrying.stream(stream)).isTrue();
        assertThat(replies).containsExactly(stream);
        assertThat(context.trace().upstreamId()).isEqualTo("b");
        assertThat(a.givenUp).isEqualTo(1);
        assertThat(b.givenUp).isZero();
    }

    @Test
    void nothingIsRepeatedWhenTheStreamBreaksOff() {
        run(call(true));
        Attempt carrying = a.open.get(0);
        carrying.stream(stream);
        carrying.end(new Failed(Fault.DISCONNECTED, Executed.MAYBE, "cut off", 0));
        assertThat(replies).hasSize(1);
        assertThat(b.open).isEmpty();
        assertThat(stream.isClosed()).isFalse();
    }

    @Test
    void theTakerThatClosesTheStreamGivesUpTheAttempt() {
        run(call(true));
        a.open.get(0).stream(stream);
        stream.close();
        assertThat(a.givenUp).isEqualTo(1);
    }

    @Test
    void aStreamThatNobodyBeganIsClosed() {
        run(call(true), reply -> {
            throw new IllegalStateException("a failing stage");
        });
        assertThat(a.open.get(0).stream(stream)).isTrue();
        assertThat(stream.isClosed()).isTrue();
    }

    @Test
    void resultsAreCollectedWhereTheyAreNeededWhole() {
        assertThat(offered(call(false))).isFalse();
        CallContext needed = call(true);
        needed.setRoute(needed.route().inWhole());
        assertThat(offered(needed)).isFalse();
        judge = (context, upstream, result, sink) -> {};
        assertThat(offered(call(true))).isFalse();
        judge = null;
        clientTakes = false;
        assertThat(offered(call(true))).isFalse();
        clientTakes = true;
        assertThat(offered(call(true))).isTrue();
    }

    private boolean offered(CallContext context) {
        run(context);
        return a.open.remove(a.open.size() - 1).stream(stream);
    }
}
