package io.weir.pipeline.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.weir.access.TestCaller;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.pipeline.CallContext;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.Attempt;
import io.weir.upstream.FakeHead;
import io.weir.upstream.FixedPool;
import io.weir.upstream.LatencyClass;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.Upstream;
import io.weir.upstream.UpstreamStatus;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Time of one attempt. */
class AttemptTimeTest {

    private static final long WHOLE_MILLIS = 60_000;

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private long usualMillis = 1;
    private boolean another = true;
    private long millis;
    private int refusals;
    private final FixedPool pool = new FixedPool(new FakeHead(1), new TimedNode(), new TimedNode()) {
        @Override
        public long usualNanos(LatencyClass latencyClass) {
            return TimeUnit.MILLISECONDS.toNanos(usualMillis);
        }

        @Override
        public boolean hasAnother(RpcCall call, List<Upstream> tried, long leastHead) {
            return another;
        }

        @Override
        public MethodCatalogue methods() {
            return MethodCatalogue.ethereum();
        }
    };

    /** Node that notes how much time an attempt has. */
    private final class TimedNode implements Upstream {

        @Override
        public String id() {
            return "a";
        }

        @Override
        public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
            if (refusals-- > 0) {
                attempt.end(FakePool.failed(Fault.CONNECT, Executed.NO));
                return;
            }
            millis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - ticker.nanoTime());
        }

        @Override
        public UpstreamStatus status() {
            return new UpstreamStatus("a", 0, 1, false, UpstreamStatus.Health.HEALTHY, 1, 0, 0, "");
        }
    }

    private long millis(String method, boolean repeatable) {
        return millis(method, repeatable, "");
    }

    private long millis(String method, boolean repeatable, String settings) {
        ForwardStage stage = TestForwarding.stage(
                pool,
                NetworkSettings.of("net", "balance { hedge-percent = 0, " + settings + " }")
                        .balance(),
                new MetricRegistry(),
                ticker::nanoTime);
        long now = ticker.nanoTime();
        CallContext context = new CallContext(
                new RpcCall(RawJson.of("1"), method, null),
                TestCaller.CLIENT,
                Fixture.NETWORK,
                channel.eventLoop(),
                now,
                now + TimeUnit.MILLISECONDS.toNanos(WHOLE_MILLIS));
        stage.repeating(name -> repeatable).handle(context, reply -> {});
        return millis;
    }

    @ParameterizedTest
    @CsvSource({
        "eth_getBalance, 1, 500",
        "eth_getBalance, 100, 2000",
        "eth_call, 1, 2000",
        "eth_call, 200, 4000",
        "eth_getLogs, 1, 10000",
        "debug_traceTransaction, 1000, 20000",
        "eth_getBalance, 5000, 60000"
    })
    void itIsAMultipleOfTheUsualTimeOfTheClass(String method, long usual, long expected) {
        usualMillis = usual;
        assertThat(millis(method, true)).isEqualTo(expected);
    }

    @Test
    void itIsTheWholeTimeAtTheLastNode() {
        another = false;
        assertThat(millis("eth_getBalance", true)).isEqualTo(WHOLE_MILLIS);
    }

    @Test
    void aNodeThatFailedIsAnotherOneIfItMayBeAskedAgain() {
        another = false;
        refusals = 1;
        assertThat(millis("eth_getBalance", true)).isEqualTo(500);
        refusals = 1;
        assertThat(millis("eth_getBalance", true, "wait = 0 ms")).isEqualTo(WHOLE_MILLIS);
    }

    @Test
    void itIsTwiceAsLongAfterAWait() {
        refusals = 2;
        millis("eth_getBalance", true);
        ticker.advanceMillis(1_000);
        channel.runScheduledPendingTasks();
        assertThat(millis).isEqualTo(1_000);
    }

    @Test
    void itIsTheWholeTimeOfACallThatMustNotBeRepeated() {
        assertThat(millis("eth_sendRawTransaction", false)).isEqualTo(WHOLE_MILLIS);
    }

    @Test
    void itIsTheWholeTimeIfSuchCallsUsuallyTakeMoreThanAMinute() {
        usualMillis = Long.MAX_VALUE / 1_000_000;
        assertThat(millis("eth_getBalance", true)).isEqualTo(WHOLE_MILLIS);
    }

    @Test
    void whileNothingWasMeasuredALookupHasTwiceTheLeastTimeAndOtherCallsTheWholeOne() {
        usualMillis = Long.MAX_VALUE;
        assertThat(millis("eth_getBalance", true)).isEqualTo(1_000);
        assertThat(millis("eth_call", true)).isEqualTo(WHOLE_MILLIS);
    }
}
