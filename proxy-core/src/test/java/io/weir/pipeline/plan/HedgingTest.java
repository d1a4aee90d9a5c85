package io.weir.pipeline.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.weir.access.TestCaller;
import io.weir.config.NetworkConfig.BalanceConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.Attempt;
import io.weir.upstream.CallCause;
import io.weir.upstream.FakeHead;
import io.weir.upstream.FixedPool;
import io.weir.upstream.LatencyClass;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Second attempts beside slow ones. */
class HedgingTest {

    private static final long USUAL_MILLIS = 40;

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final MetricRegistry registry = new MetricRegistry();
    private final WaitingNode a = new WaitingNode("a");
    private final WaitingNode b = new WaitingNode("b");
    private boolean degraded;
    private long headOfOthers = Long.MAX_VALUE;
    private final FixedPool pool = new FixedPool(new FakeHead(1), a, b) {
        @Override
        public Choice choose(RpcCall call, List<Upstream> tried, long leastHead) {
            Choice choice = super.choose(call, tried, leastHead);
            return choice == null ? null : new Choice(choice.upstream(), degraded);
        }

        @Override
        public boolean hasAnother(RpcCall call, List<Upstream> tried, long leastHead) {
            return headOfOthers >= leastHead && super.hasAnother(call, tried, leastHead);
        }

        @Override
        public long usualNanos(LatencyClass latencyClass) {
            return TimeUnit.MILLISECONDS.toNanos(USUAL_MILLIS);
        }
    };
    private final List<RpcReply> replies = new ArrayList<>();
    private int percent = 100;
    private long block;

    private static final class WaitingNode implements Upstream {

        private final String id;
        final List<Attempt> open = new ArrayList<>();
        long slowNanos;
        int givenUp;

        WaitingNode(String id) {
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
        public void slow(RpcCall call, long nanos) {
            slowNanos = nanos;
        }

        @Override
        public UpstreamStatus status() {
            return new UpstreamStatus(id, 0, 1, false, UpstreamStatus.Health.HEALTHY, 1, open.size(), 0, "");
        }

        void answer(NodeOutcome outcome) {
            open.remove(0).end(outcome);
        }
    }

    private BalanceConfig config() {
        return NetworkSettings.of("net", TestForwarding.NO_WAITS, "balance { hedge-percent = " + percent + " }")
                .balance();
    }

    private Stage stage() {
        return TestForwarding.stage(pool, config(), registry, ticker::nanoTime);
    }

    private void call(Stage stage, String method) {
        call(stage, method, TimeUnit.MINUTES.toMillis(1));
    }

    private void call(Stage stage, String method, long millis) {
        RpcCall call = new RpcCall(RawJson.of("1"), method, null);
        long now = ticker.nanoTime();
        CallContext context = new CallContext(
                call,
                TestCaller.CLIENT,
                Fixture.NETWORK,
                channel.eventLoop(),
                now,
                now + TimeUnit.MILLISECONDS.toNanos(millis));
        context.setRoute(context.route().toBlock(block, true));
        stage.handle(context, replies::add);
    }

    private void pass(long millis) {
        ticker.advanceMillis(millis);
        channel.runPendingTasks();
        channel.runScheduledPendingTasks();
    }

    private long count(String meter) {
        return registry.getCounters().entrySet().stream()
                .filter(entry -> entry.getKey().contains(meter))
                .mapToLong(entry -> entry.getValue().getCount())
                .sum();
    }

    @Test
    void aSlowAttemptGetsASecondOneAfterTheUsualTimeAndTheFirstAnswerCounts() {
        pass(1);
        call(stage(), "eth_getBalance");
        pass(USUAL_MILLIS - 1);
        assertThat(b.open).isEmpty();
        pass(1);
        assertThat(b.open).hasSize(1);
        assertThat(a.open.get(0).cause()).isEqualTo(CallCause.CLIENT);
        assertThat(b.open.get(0).cause()).isEqualTo(CallCause.HEDGE);
        b.answer(FakePool.result("\"0xb\""));
        assertThat(replies).hasSize(1);
        assertThat(a.slowNanos).isEqualTo(TimeUnit.MILLISECONDS.toNanos(USUAL_MILLIS));
        a.answer(FakePool.result("\"0xa\""));
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("\"0xb\"")));
        assertThat(count("hedges_won")).isOne();
    }

    @Test
    void theAttemptThatDidNotAnswerIsGivenUp() {
        call(stage(), "eth_getBalance");
        pass(USUAL_MILLIS);
        b.answer(FakePool.result("\"0xb\""));
        assertThat(a.givenUp).isOne();
        assertThat(b.givenUp).isZero();
    }

    @Test
    void anAttemptThatEndsAfterTheAnswerIsNotRepeated() {
        call(stage(), "eth_getBalance");
        pass(USUAL_MILLIS);
        a.answer(FakePool.result("\"0xa\""));
        b.answer(FakePool.failed(Fault.STALE_CONNECTION, Executed.MAYBE));
        assertThat(b.open).isEmpty();
        assertThat(replies).hasSize(1);
    }

    @Test
    void anErrorOfTheCallItselfGivesUpTheAttemptBesideItToo() {
        call(stage(), "eth_call");
        pass(USUAL_MILLIS);
        a.answer(FakePool.error("eth_call", 3, "execution reverted"));
        assertThat(replies).hasSize(1);
        assertThat(b.givenUp).isOne();
    }

    @Test
    void anAttemptOverAFreshConnectionGetsASecondOneBesideItToo() {
        call(stage(), "eth_getBalance");
        a.answer(FakePool.failed(Fault.STALE_CONNECTION, Executed.MAYBE));
        assertThat(a.open).hasSize(1);
        pass(USUAL_MILLIS);
        assertThat(b.open).hasSize(1);
    }

    @Test
    void aCallThatHasMovedOnToAnotherNodeGetsNone() {
        WaitingNode c = new WaitingNode("c");
        pool.nodes.add(c);
        call(stage(), "eth_getBalance");
        pass(1);
        a.answer(FakePool.failed(Fault.SERVER_ERROR, Executed.MAYBE));
        assertThat(b.open).hasSize(1);
        pass(10 * USUAL_MILLIS);
        assertThat(c.open).isEmpty();
    }

    @Test
    void noneGoesToANodeThatIsNotHealthy() {
        call(stage(), "eth_getBalance");
        degraded = true;
        pass(10 * USUAL_MILLIS);
        assertThat(b.open).isEmpty();
    }

    @Test
    void noneGoesToANodeWithoutTheBlock() {
        block = 11;
        headOfOthers = 10;
        call(stage(), "eth_getTransactionByHash");
        pass(10 * USUAL_MILLIS);
        assertThat(b.open).as("it would show the mined transaction as pending").isEmpty();
        headOfOthers = 11;
        call(stage(), "eth_getTransactionByHash");
        pass(USUAL_MILLIS);
        assertThat(b.open).hasSize(1);
    }

    @Test
    void aSlowAttemptGoesOnAloneWhereNoOtherNodeIsLeft() {
        call(stage(), "eth_getBalance");
        pool.nodes.remove(b);
        pass(USUAL_MILLIS);
        assertThat(replies).isEmpty();
        a.answer(FakePool.result("\"0xa\""));
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("\"0xa\"")));
    }

    @Test
    void aCallWhoseTimeIsOverGetsNoFurtherAttempt() {
        call(stage(), "eth_getBalance", USUAL_MILLIS);
        pass(USUAL_MILLIS);
        assertThat(b.open).isEmpty();
        a.answer(FakePool.failed(Fault.SERVER_ERROR, Executed.MAYBE));
        assertThat(b.open).isEmpty();
        assertThat(replies).hasSize(1);
    }

    @Test
    void theProxysOwnCallsGetNone() {
        ForwardStage stage = TestForwarding.stage(pool, config(), registry, ticker::nanoTime);
        call(stage.over(pool, true), "eth_getBalance");
        pass(10 * USUAL_MILLIS);
        assertThat(a.open).hasSize(1);
        assertThat(b.open).isEmpty();
    }

    @Test
    void theFirstAttemptMayStillWin() {
        call(stage(), "eth_getBalance");
        pass(USUAL_MILLIS);
        a.answer(FakePool.result("\"0xa\""));
        b.answer(FakePool.failed(Fault.DISCONNECTED, Executed.MAYBE));
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("\"0xa\"")));
        assertThat(a.slowNanos).isZero();
        assertThat(count("hedges_won")).isZero();
    }

    @Test
    void aFailureWaitsForTheAttemptBesideIt() {
        call(stage(), "eth_getBalance");
        pass(USUAL_MILLIS);
        b.answer(FakePool.failed(Fault.SERVER_ERROR, Executed.MAYBE));
        assertThat(replies).isEmpty();
        a.answer(FakePool.result("\"0xa\""));
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("\"0xa\"")));
    }

    @Test
    void ifBothFailTheCallFailsOnce() {
        call(stage(), "eth_getBalance");
        pass(USUAL_MILLIS);
        b.answer(FakePool.failed(Fault.SERVER_ERROR, Executed.MAYBE));
        a.answer(FakePool.failed(Fault.SERVER_ERROR, Executed.MAYBE));
        assertThat(replies).hasSize(1).allMatch(reply -> reply instanceof RpcReply.Failure);
    }

    @Test
    void anAnsweredCallGetsNone() {
        call(stage(), "eth_getBalance");
        a.answer(FakePool.result("\"0xa\""));
        pass(10 * USUAL_MILLIS);
        assertThat(b.open).isEmpty();
    }

    @Test
    void transactionsSearchesAndTracesGetNone() {
        Stage stage = stage();
        for (String method : List.of("eth_sendRawTransaction", "eth_getLogs", "debug_traceTransaction", "foo_bar")) {
            call(stage, method);
        }
        pass(100 * USUAL_MILLIS);
        assertThat(a.open).hasSize(4);
        assertThat(b.open).isEmpty();
    }

    @Test
    void theirNumberIsAShareOfTheCalls() {
        percent = 5;
        Stage stage = stage();
        for (int i = 0; i < 400; i++) {
            call(stage, "eth_getBalance");
        }
        pass(USUAL_MILLIS);
        assertThat(b.open).as("5 % of 400, and one").hasSize(21);
        assertThat(count("hedges")).isEqualTo(21);
    }

    @Test
    void zeroPercentDisablesThem() {
        percent = 0;
        call(stage(), "eth_getBalance");
        pass(100 * USUAL_MILLIS);
        assertThat(b.open).isEmpty();
    }
}
