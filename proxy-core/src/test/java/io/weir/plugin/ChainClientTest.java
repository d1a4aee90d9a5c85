package io.weir.plugin;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.Stage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How plugins call the networks. */
class ChainClientTest {

    @TempDir
    Path temporary;

    private HostFixture fixture;
    private final FakeInternalCalls networks = new FakeInternalCalls(ChainClientTest::answer);

    private static RpcReply answer(RpcCall call) {
        return call.method().equals("eth_fail")
                ? RpcReply.failure(new RpcError(3, "execution reverted", RawJson.of("\"0x08\"")))
                : new RpcReply.Result(RawJson.of("{\"params\":" + call.params() + "}"));
    }

    @BeforeEach
    void open() {
        fixture = new HostFixture(temporary);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aCallReachesTheNetworksAndItsReplyThePlugin() throws Exception {
        serve("return call.chain().call(call.network(), \"eth_any\", JSON.arrayNode().add(1).add(\"x\"));");
        assertThat(reply()).hasToString("Result[value={\"params\":[1,\"x\"]}]");
        assertThat(networks.calls).extracting(RpcCall::method).containsExactly("eth_any");
    }

    @Test
    void anErrorOfTheNodeIsAnRpcException() throws Exception {
        serve("return call.chain().call(\"testnet\", \"eth_fail\", JSON.arrayNode());");
        assertThat(reply())
                .hasToString("Failure[error=RpcError[code=3, message=execution reverted, data=\"0x08\"],"
                        + " kind=ANSWER, retryAfterSeconds=0]");
    }

    @Test
    void aCallCarriesTheRightsOfItsCaller() throws Exception {
        serve("return call.chain().call(\"othernet\", \"eth_any\", JSON.arrayNode());");
        assertThat(reply().toString()).contains("code=-32002, message=not permitted");
        assertThat(networks.calls).isEmpty();
    }

    @Test
    void thePluginsOwnCallsNeedNoCaller() throws Exception {
        serve("return context.chain().call(\"othernet\", \"eth_any\", JSON.objectNode());");
        assertThat(reply()).hasToString("Result[value={\"params\":{}}]");
    }

    @Test
    void parametersThatAreNotAnArrayOrObjectAreRejected() throws Exception {
        serve("return call.chain().call(\"testnet\", \"eth_any\", JSON.stringNode(\"x\"));");
        assertThat(reply().toString()).contains("code=-32602");
    }

    @Test
    void networksAreFoundByChain() throws Exception {
        serve("return CompletableFuture.completedFuture(JSON.arrayNode()"
                + ".add(call.chain().networkOfChain(\"ethereum\", \"1337\"))"
                + ".add(call.chain().networkOfChain(\"ethereum\", \"1\"))"
                + ".add(call.chain().chainOfNetwork(\"testnet\"))"
                + ".add(call.chain().chainOfNetwork(\"other\")));");
        assertThat(reply()).hasToString("Result[value=[\"testnet\",null,\"1337\",null]]");
    }

    @Test
    void aNetworkThatTheCallerMayNotUseIsFoundByThePluginsOwnCallsOnly() throws Exception {
        serve("return CompletableFuture.completedFuture(JSON.arrayNode()"
                + ".add(call.chain().networkOfChain(\"ethereum\", \"10\"))"
                + ".add(call.chain().chainOfNetwork(\"othernet\"))"
                + ".add(context.chain().networkOfChain(\"ethereum\", \"10\"))"
                + ".add(context.chain().chainOfNetwork(\"othernet\")));");
        assertThat(reply()).hasToString("Result[value=[null,null,\"othernet\",\"10\"]]");
    }

    @Test
    void networksCannotBeCalledBeforeTheStartOrAfterTheEnd() throws Exception {
        plugin("return context.chain().call(\"testnet\", \"eth_any\", JSON.arrayNode());");
        try (PluginHost host = fixture.open()) {
            assertThat(fixture.call(host, "test_chain", "[]").get(60, SECONDS).toString())
                    .contains("code=-32603, message=networks cannot be called now");
        }
    }

    @Test
    void handlersThatAllBlockOnRepliesStillGetThem() throws Exception {
        fixture.threads = 2;
        serve("""
                var one = call.chain().call("testnet", "eth_one", JSON.arrayNode()).toCompletableFuture();
                var two = call.chain().call("testnet", "eth_two", JSON.arrayNode()).toCompletableFuture();
                CompletableFuture.allOf(one, two).join();
                return one;
                """);
        Stage stage = host.catalogue().stages("ethereum").get("test_chain");
        List<CompletableFuture<RpcReply>> replies = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            replies.add(fixture.call(stage, "test_chain", "[]", 60_000));
        }
        for (CompletableFuture<RpcReply> one : replies) {
            assertThat(one.get(60, SECONDS)).hasToString("Result[value={\"params\":[]}]");
        }
    }

    @Test
    void codeThatDependsOnAReplyRunsOnThePluginsThreadsAndMayBlock() throws Exception {
        serve("""
                return call.chain().call("testnet", "eth_one", JSON.arrayNode())
                        .thenCompose(one -> call.chain().call("testnet", "eth_two", JSON.arrayNode()))
                        .thenApply(two -> {
                            var three = call.chain().call("testnet", "eth_three", JSON.arrayNode()).toCompletableFuture();
                            three.join();
                            return JSON.stringNode(Thread.currentThread().getName().replaceAll("[0-9]+$", ""));
                        });
                """);
        assertThat(reply()).hasToString("Result[value=\"weir-plugin-\"]");
    }

    @Test
    void waitingOnTheThreadThatBringsRepliesIsAnErrorAndNotADeadlock() throws Exception {
        serve("""
                var one = call.chain().call("testnet", "eth_one", JSON.arrayNode()).toCompletableFuture();
                return CompletableFuture.allOf(one).thenApply(nothing ->
                        call.chain().call("testnet", "eth_two", JSON.arrayNode()).toCompletableFuture().join());
                """);
        // Completed before the callback is hung on it, it runs on the handler's thread, where it may wait.
        assertThat(reply().toString()).containsAnyOf("plugin caller: internal error", "{\"params\":[]}");
        assertThat(reply().toString()).containsAnyOf("plugin caller: internal error", "{\"params\":[]}");
    }

    private PluginHost host;

    private void plugin(String body) {
        PluginSources.serving("caller", "test_chain", body).jar(fixture.folder);
    }

    private void serve(String body) throws PluginException {
        plugin(body);
        host = fixture.open();
        host.start(networks);
    }

    @AfterEach
    void closeHost() {
        if (host != null) {
            host.close();
        }
    }

    private RpcReply reply() throws Exception {
        return fixture.call(host, "test_chain", "[]").get(60, SECONDS);
    }
}
