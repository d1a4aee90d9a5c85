package io.weir.network;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.Stage;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The way of the proxy's own calls. */
class NetworkInternalCallsTest {

    private static final Stage PLUGIN =
            (context, sink) -> sink.accept(new RpcReply.Result(RawJson.of("\"the plugin\"")));

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final CurrentGeneration current = new CurrentGeneration(TestNetworks.generation(
            TestNetworks.network("main", "0x1", Set.of(), Map.of("eth_blockNumber", PLUGIN, "test_own", PLUGIN)),
            TestNetworks.network("side", "1337", Set.of(), Map.of())));
    private final NetworkInternalCalls calls = new NetworkInternalCalls(current, loops);

    @AfterEach
    void close() {
        loops.shutdownGracefully(0, 5, SECONDS).awaitUninterruptibly();
    }

    private RpcReply call(String network, String method) throws Exception {
        CompletableFuture<RpcReply> reply = new CompletableFuture<>();
        calls.call(
                new NetworkId(network),
                new RpcCall(RawJson.of("1"), method, RawJson.EMPTY_ARRAY),
                System.nanoTime() + SECONDS.toNanos(60),
                reply::complete);
        return reply.get(60, SECONDS);
    }

    @Test
    void aCallGoesToTheNetworkThatItNames() throws Exception {
        assertThat(call("main", "eth_gasPrice")).hasToString("Result[value=\"main\"]");
        assertThat(call("side", "eth_gasPrice")).hasToString("Result[value=\"side\"]");
    }

    @Test
    void aCallNeverReachesAPluginsHandler() throws Exception {
        assertThat(call("main", "eth_blockNumber")).hasToString("Result[value=\"main\"]");
        assertThat(call("main", "test_own")).hasToString("Result[value=\"main\"]");
    }

    @Test
    void theNetworksRulesHoldForTheProxyToo() throws Exception {
        assertThat(call("main", "debug_traceCall").toString()).contains("code=-32601");
        assertThat(call("main", "miner_unheardOf").toString()).contains("code=-32601");
    }

    @Test
    void aNetworkThatIsNotThereIsAWrongParameter() throws Exception {
        assertThat(call("other", "eth_gasPrice"))
                .hasToString("Failure[error=RpcError[code=-32602, message=network: \"other\""
                        + " (expected: one of the configured networks), data=null], kind=ANSWER, retryAfterSeconds=0]");
    }

    @Test
    void aReplyComesOnAnEventLoop() throws Exception {
        CompletableFuture<Boolean> inLoop = new CompletableFuture<>();
        EventLoop loop = loops.next();
        calls.call(
                new NetworkId("main"),
                new RpcCall(RawJson.of("1"), "eth_gasPrice", null),
                System.nanoTime() + SECONDS.toNanos(60),
                reply -> inLoop.complete(loop.inEventLoop()));
        assertThat(inLoop.get(60, SECONDS)).isTrue();
    }

    @Test
    void callsFollowTheGenerationThatServesNow() throws Exception {
        current.publish(TestNetworks.generation(TestNetworks.network("next", "7", Set.of(), Map.of())));
        assertThat(call("next", "eth_gasPrice")).hasToString("Result[value=\"next\"]");
        assertThat(call("main", "eth_gasPrice").toString()).contains("code=-32602");
        assertThat(calls.networkOfChain("ethereum", "7")).isEqualTo(new NetworkId("next"));
        assertThat(calls.networkOfChain("ethereum", "1337")).isNull();
    }

    @Test
    void aNetworkIsFoundByEverySpellingOfItsChainId() {
        assertThat(calls.networkOfChain("ethereum", "1337")).isEqualTo(new NetworkId("side"));
        assertThat(calls.networkOfChain("ethereum", "0x539")).isEqualTo(new NetworkId("side"));
        assertThat(calls.networkOfChain("ethereum", "1")).isEqualTo(new NetworkId("main"));
        assertThat(calls.networkOfChain("ethereum", "2")).isNull();
        assertThat(calls.networkOfChain("l2", "1")).isNull();
    }

    @Test
    void aNetworksChainIdIsReturnedInItsNormalForm() {
        assertThat(calls.chainOfNetwork(new NetworkId("main"))).isEqualTo("1");
        assertThat(calls.chainOfNetwork(new NetworkId("side"))).isEqualTo("1337");
        assertThat(calls.chainOfNetwork(new NetworkId("other"))).isNull();
    }

    @Test
    void anInvalidChainIdBelongsToNoNetwork() {
        assertThat(calls.networkOfChain("ethereum", "SN_MAIN")).isNull();
        assertThat(calls.networkOfChain("ethereum", "")).isNull();
    }
}
