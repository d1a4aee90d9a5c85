package io.weir.pipeline.plan;

import static io.weir.pipeline.plan.FakePool.failed;
import static io.weir.pipeline.plan.FakePool.result;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.weir.access.TestCaller;
import io.weir.config.NetworkConfig.BalanceConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that wait for a node after all have failed, or for the budget of retries. */
class NodeWaitTest {

    private static final NodeOutcome REFUSED = failed(Fault.CONNECT, Executed.NO);
    private static final NodeOutcome BROKEN = failed(Fault.SERVER_ERROR, Executed.MAYBE);
    private static final NodeOutcome LIMITED = new Failed(Fault.RATE_LIMITED, Executed.NO, "as laid down", 2);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final MetricRegistry registry = new MetricRegistry();
    private final FakePool pool = new FakePool();
    private final List<RpcReply> replies = new ArrayList<>();
    private final List<Runnable> leaving = new ArrayList<>();

    private ForwardStage forward(String settings) {
        BalanceConfig config =
                NetworkSettings.of("net", "balance { " + settings + " }").balance();
        return TestForwarding.stage(pool, config, registry, ticker::nanoTime);
    }

    private Stage stage(String settings, boolean repeatable) {
        return forward(settings).repeating(method -> repeatable);
    }

    /** Returns a stage with one retry left. */
    private Stage nearlySpent(boolean repeatable) {
        ForwardStage stage = forward("wait = 5 s");
        TestForwarding.spendRetries(stage, 1);
        return stage.repeating(method -> repeatable);
    }

    /** Returns a stage at which one more call may wait for a node. */
    private Stage nearlyFull() {
        ForwardStage stage = forward("wait = 5 s");
        for (int i = 1; i < AttemptLimits.MAX_WAITING; i++) {
            stage.limits().takeWait();
        }
        return stage;
    }

    private Stage stage() {
        return stage("wait = 5 s", true);
    }

    private void call(Stage stage, long millis) {
        call(stage, "eth_getBalance", millis);
    }

    private void call(Stage stage, String method, long millis) {
        long now = ticker.nanoTime();
        CallContext context = new CallContext(
                new RpcCall(RawJson.of("1"), method, RawJson.EMPTY_ARRAY),
                TestCaller.CLIENT,
                Fixture.NETWORK,
                channel.eventLoop(),
                now,
                now + TimeUnit.MILLISECONDS.toNanos(millis),
                leaving::add);
        stage.handle(context, replies::add);
    }

    private void pass(long millis) {
        for (long left = millis; left > 0; left -= 10) {
            ticker.advanceMillis(10);
            channel.runScheduledPendingTasks();
        }
    }

    private long count(Meter meter) {
        return new Meters(registry).counter(meter, "net").getCount();
    }

    @Test
    void aCallThatEveryNodeRefusedOnceIsAnsweredAMomentLater() {
        pool.node("a", REFUSED, result("1")).node("b", REFUSED);
        call(stage(), 10_000);
        assertThat(replies).isEmpty();
        pass(50);
        assertThat(pool.asked).as("not before the shortest wait").hasSize(2);
        pass(150);
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("1")));
        assertThat(pool.asked).hasSize(3);
        assertThat(count(Meter.NODE_WAITS)).isOne();
    }

    @Test
    void aLookupIsRepeatedAtALoneNodeAfterItsError() {
        pool.node("a", FakePool.fault("its words"), result("1"));
        call(stage(), 10_000);
        pass(200);
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("1")));
    }

    @Test
    void aLookupIsRepeatedAtALoneNodeAfterSomethingThatIsNoAnswer() {
        pool.node("a", failed(Fault.BAD_ANSWER, Executed.MAYBE), result("1"));
        call(stage(), 10_000);
        pass(200);
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("1")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_call", "eth_estimateGas", "debug_traceTransaction", "trace_block"})
    void anExecutedOrTracedCallIsNotRepeatedAtANodeThatAnsweredWithAnError(String method) {
        pool.node("a", FakePool.fault("its words"), result("1"));
        call(stage(), method, 10_000);
        assertThat(((RpcReply.Failure) replies.get(0)).error().message()).isEqualTo("its words");
        assertThat(pool.asked).hasSize(1);
    }

    @Test
    void waitsGrowAndEndWithTheirSum() {
        NodeOutcome[] refused = new NodeOutcome[100];
        java.util.Arrays.fill(refused, REFUSED);
        pool.node("a", refused);
        call(stage(), 60_000);
        pass(4_900);
        assertThat(replies).hasSizeLessThanOrEqualTo(1);
        pass(200);
        assertThat(replies).hasSize(1);
        assertThat(((RpcReply.Failure) replies.get(0)).kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(pool.asked.size()).as("rounds in five seconds").isBetween(5, 25);
    }

    @Test
    void noCallWaitsPastItsDeadline() {
        pool.node("a", REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED);
        call(stage(), 200);
        pass(200);
        assertThat(replies).hasSize(1);
    }

    @Test
    void aShortPauseOfAllNodesIsWaitedFor() {
        pool.node("a", LIMITED, result("1"));
        call(stage(), 10_000);
        pass(1_990);
        assertThat(pool.asked).hasSize(1);
        pass(1_010);
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("1")));
    }

    @Test
    void aCallThatFindsEveryNodeLimitedWaitsBeforeItsFirstAttempt() {
        pool.retryAfterSeconds = 1;
        call(stage("wait = 5 s", false), 10_000);
        assertThat(replies).isEmpty();
        pool.node("a", result("1"));
        pass(2_100);
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("1")));
    }

    @Test
    void aPauseThatIsTooLongIsToldAtOnce() {
        pool.node("a", new Failed(Fault.RATE_LIMITED, Executed.NO, "as laid down", 60));
        call(stage(), 10_000);
        assertThat(((RpcReply.Failure) replies.get(0)).retryAfterSeconds()).isEqualTo(60);
    }

    @Test
    void aCallThatMayHaveBeenExecutedDoesNotWait() {
        pool.node("a", failed(Fault.TIMEOUT, Executed.MAYBE));
        call(stage("wait = 5 s", false), 10_000);
        assertThat(replies).hasSize(1);
    }

    @Test
    void aNodeThatHasTheDataIsWaitedForThoughOthersLackIt() {
        pool.node("archive", REFUSED, result("1"))
                .node("pruned", FakePool.error("eth_getBalance", -32000, "missing trie node 0b6e is not available"));
        call(stage(), 10_000);
        assertThat(replies).isEmpty();
        pass(200);
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("1")));
        assertThat(pool.asked).as("the pruned node is asked once").hasSize(3);
    }

    @Test
    void aCallThatIsNotRepeatableDoesNotWaitForANode() {
        pool.node("a", REFUSED, result("1"));
        call(stage("wait = 5 s", false), 10_000);
        assertThat(replies).hasSize(1);
    }

    @Test
    void dataThatEveryNodeLacksIsNotWaitedFor() {
        NodeOutcome lacking = FakePool.error("eth_getBalance", -32000, "missing trie node 0b6e is not available");
        pool.node("a", lacking, result("1")).node("b", lacking);
        call(stage(), 10_000);
        assertThat(replies).hasSize(1);
    }

    @Test
    void aRefusalOfTheParametersIsToldThoughAnotherNodeCannotBeReached() {
        pool.node("a", FakePool.error("eth_getBalance", -32602, "invalid argument 0"))
                .node("b", REFUSED, result("1"));
        call(stage(), 10_000);
        assertThat(replies).hasSize(1);
        assertThat(((RpcReply.Failure) replies.get(0)).error().code()).isEqualTo(-32602);
    }

    @Test
    void anAnswerOfANodeAboutTheCallIsNotWaitedFor() {
        pool.node("a", REFUSED).node("b", FakePool.error("eth_getBalance", 3, "execution reverted"));
        call(stage(), 10_000);
        assertThat(replies).hasSize(1);
    }

    @Test
    void aCallWaitsForTheBudgetOfRetriesWhileAnotherNodeIsLeft() {
        pool.node("a", BROKEN, BROKEN).node("b", result("1"), result("2"));
        Stage stage = nearlySpent(true);
        call(stage, 10_000);
        call(stage, 10_000);
        assertThat(replies).as("the second one finds the reserve spent").hasSize(1);
        pass(3_000);
        assertThat(replies).containsExactly(new RpcReply.Result(RawJson.of("1")), new RpcReply.Result(RawJson.of("2")));
        assertThat(pool.asked).hasSize(4);
        assertThat(count(Meter.NODE_WAITS)).isPositive();
        assertThat(count(Meter.RETRIES_REFUSED)).isPositive();
    }

    @Test
    void aCallThatIsNotRepeatableDoesNotWaitForTheBudgetOfRetries() {
        NodeOutcome undone = failed(Fault.SERVER_ERROR, Executed.NO);
        pool.node("a", undone, undone).node("b", result("1"), result("2"));
        Stage stage = nearlySpent(false);
        call(stage, 10_000);
        call(stage, 10_000);
        assertThat(replies).hasSize(2);
        assertThat(replies.get(1)).isInstanceOf(RpcReply.Failure.class);
    }

    @Test
    void aClientThatLeavesEndsTheWait() {
        pool.node("a", REFUSED, result("1"));
        Stage stage = nearlyFull();
        call(stage, 10_000);
        leaving.forEach(Runnable::run);
        assertThat(replies).hasSize(1);
        pass(500);
        assertThat(pool.asked).hasSize(1);

        pool.nodes.clear();
        pool.node("b", REFUSED, result("1"));
        call(stage, 10_000);
        assertThat(count(Meter.NODE_WAITS_REFUSED))
                .as("the place is free again")
                .isZero();
    }

    @Test
    void callsBeyondTheMaximumFailAtOnce() {
        pool.node("a", REFUSED, REFUSED);
        Stage stage = nearlyFull();
        call(stage, 10_000);
        call(stage, 10_000);
        assertThat(replies).hasSize(1);
        assertThat(count(Meter.NODE_WAITS_REFUSED)).isOne();
    }

    @Test
    void withoutTimeToWaitCallsFailAtOnce() {
        pool.node("a", REFUSED, result("1"));
        call(stage("wait = 0 ms", true), 10_000);
        assertThat(replies).hasSize(1);
    }
}
