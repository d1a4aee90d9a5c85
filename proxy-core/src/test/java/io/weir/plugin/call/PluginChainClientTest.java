package io.weir.plugin.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.codahale.metrics.MetricRegistry;
import io.weir.access.Caller;
import io.weir.api.RpcException;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.InternalCalls;
import io.weir.pipeline.ReplySink;
import io.weir.plugin.HostFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The rights of a plugin's calls, and the number of them that are under way. */
class PluginChainClientTest {

    private static final int THREADS = 2;
    private static final int WAITING = 3;
    private static final RpcReply REPLY = new RpcReply.Result(RawJson.of("1"));

    private final PluginExecutor threads = new PluginExecutor("tested-", 1, THREADS, WAITING);
    private final PluginRuntime runtime = new PluginRuntime(
            threads.bulkhead("tested", getClass().getClassLoader()),
            new Trees(100),
            new FailureLog("tested"),
            new EnumCounters<>(
                    new Meters(new MetricRegistry()), Meter.PLUGIN_CALLS, PluginRuntime.Outcome.class, "tested"));
    private final NetworkAccess networks = new NetworkAccess();
    private final List<ReplySink> underWay = new ArrayList<>();
    private boolean failing;

    private final InternalCalls calls = new InternalCalls() {
        @Override
        public void call(NetworkId network, RpcCall call, long deadlineNanos, ReplySink sink) {
            if (failing) {
                throw new IllegalStateException("of this test");
            }
            underWay.add(sink);
        }

        @Override
        public @Nullable NetworkId networkOfChain(String kind, String chainId) {
            return null;
        }

        @Override
        public @Nullable String chainOfNetwork(NetworkId network) {
            return null;
        }
    };

    @BeforeEach
    void open() {
        networks.open(calls);
    }

    @AfterEach
    void close() {
        threads.close();
    }

    private CompletableFuture<JsonNode> call(@Nullable Caller caller, String network) {
        return new PluginChainClient(runtime, networks, caller, () -> Long.MAX_VALUE)
                .call(network, "eth_any", JsonNodeFactory.instance.arrayNode())
                .toCompletableFuture();
    }

    private CompletableFuture<JsonNode> call() {
        return call(null, "testnet");
    }

    private static RpcException failure(CompletableFuture<JsonNode> call) {
        Throwable thrown = catchThrowable(() -> call.get(60, TimeUnit.SECONDS));
        Throwable cause = thrown.getCause();
        return (RpcException) (cause instanceof CompletionException ? cause.getCause() : cause);
    }

    private void fill() {
        while (underWay.size() < THREADS + WAITING) {
            assertThatCode(() -> assertThat(call()).isNotDone()).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @CsvSource({"true, testnet, true", "false, testnet, false", "true, othernet, false"})
    void aCallNeedsTheRightToItsMethodAndToItsNetwork(boolean mayCall, String network, boolean sent) {
        CompletableFuture<JsonNode> call = call(HostFixture.caller(mayCall), network);
        assertThat(underWay).hasSize(sent ? 1 : 0);
        if (!sent) {
            assertThat(failure(call).code()).isEqualTo(-32002);
        }
    }

    @Test
    void callsBeyondTheBoundAreRefusedUntilAReplyComes() throws Exception {
        fill();
        assertThat(failure(call())).hasMessage("too many calls of this plugin are under way");
        assertThat(underWay).hasSize(THREADS + WAITING);

        underWay.remove(0).accept(REPLY);
        CompletableFuture<JsonNode> next = call();
        underWay.get(underWay.size() - 1).accept(REPLY);
        assertThat(next.get(60, TimeUnit.SECONDS)).hasToString("1");
    }

    @Test
    void aCallThatCannotBeSentDoesNotCountAsUnderWay() {
        failing = true;
        for (int i = 0; i < 2 * (THREADS + WAITING); i++) {
            assertThat(call()).isCompletedExceptionally();
        }
        failing = false;
        fill();
    }

    @Test
    void aReplyBeyondTheBoundsOfTreesIsAnError() {
        CompletableFuture<JsonNode> call = call();
        underWay.get(0).accept(new RpcReply.Result(RawJson.of("1".repeat(2_000))));
        assertThat(failure(call)).hasMessage("the reply cannot be read");
        underWay.clear();
        fill();
    }

    @Test
    void aReplyAfterTheEndOfThePluginIsDropped() {
        call();
        runtime.bulkhead().close();
        assertThatCode(() -> underWay.get(0).accept(REPLY)).doesNotThrowAnyException();
        assertThat(failure(call())).hasMessage("too many calls of this plugin are under way");
    }
}
