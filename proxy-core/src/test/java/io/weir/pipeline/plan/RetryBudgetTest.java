package io.weir.pipeline.plan;

import static io.weir.pipeline.plan.FakePool.failed;
import static io.weir.pipeline.plan.FakePool.result;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.TestCaller;
import io.weir.config.NetworkConfig.BalanceConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Budget of the attempts after failed ones. */
class RetryBudgetTest {

    private static final NodeOutcome BROKEN = failed(Fault.SERVER_ERROR, Executed.MAYBE);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final MetricRegistry registry = new MetricRegistry();
    private final FakePool pool = new FakePool();

    private ForwardStage stage() {
        BalanceConfig config =
                NetworkSettings.of("net", TestForwarding.NO_WAITS).balance();
        return TestForwarding.stage(pool, config, registry, () -> 0);
    }

    private RpcReply call(Stage stage) {
        List<RpcReply> replies = new ArrayList<>();
        CallContext context = new CallContext(
                new RpcCall(RawJson.of("1"), "eth_getBalance", RawJson.EMPTY_ARRAY),
                TestCaller.CLIENT,
                Fixture.NETWORK,
                channel.eventLoop(),
                0,
                TimeUnit.MINUTES.toNanos(1));
        stage.handle(context, replies::add);
        return replies.get(0);
    }

    private long refused() {
        return registry.getCounters((name, metric) -> name.contains("retries_refused")).values().stream()
                .mapToLong(counter -> counter.getCount())
                .sum();
    }

    @Test
    void movingOnFromANodeThatTakesNoConnectionIsFree() {
        pool.node("a", failed(Fault.CONNECT, Executed.NO)).node("b", result("1"));
        ForwardStage stage = stage();
        TestForwarding.spendRetries(stage, 0);
        assertThat(call(stage)).isInstanceOf(RpcReply.Result.class);
    }

    @Test
    void aHundredRetriesNeedNoCalls() {
        pool.node("a", BROKEN, BROKEN, BROKEN).node("b", result("1"), result("1"), result("1"));
        ForwardStage stage = stage();
        for (int i = 0; i < 98; i++) {
            assertThat(stage.limits().takeRetry()).isTrue();
        }
        assertThat(call(stage)).isInstanceOf(RpcReply.Result.class);
        assertThat(call(stage)).isInstanceOf(RpcReply.Result.class);
        assertThat(call(stage)).isInstanceOf(RpcReply.Failure.class);
    }

    @Test
    void theProxysOwnCallsTakeFromTheSameBudget() {
        pool.node("a", BROKEN, BROKEN).node("b", result("1"), result("1"));
        ForwardStage stage = stage();
        TestForwarding.spendRetries(stage, 1);
        Stage own = stage.over(pool, true);
        assertThat(call(own)).isInstanceOf(RpcReply.Result.class);
        assertThat(call(own)).isInstanceOf(RpcReply.Failure.class);
        assertThat(refused()).isOne();

        pool.nodes.clear();
        pool.node("c", BROKEN).node("d", result("1"));
        assertThat(call(stage)).isInstanceOf(RpcReply.Failure.class);
    }
}
