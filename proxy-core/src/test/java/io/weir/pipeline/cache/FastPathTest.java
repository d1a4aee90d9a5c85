package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.Caller;
import io.weir.cache.CacheMeters.LookupOutcome;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.ResultKind;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.pipeline.CallContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FastPathTest {

    private static final String KEPT = "[\"0x00000000219ab540356cbb839cbe05303d7705fa\",\"0x10\"]";

    private final CacheFixture fixture =
            new CacheFixture((context, sink) -> sink.accept(new RpcReply.Result(answer(context))), () -> 1_000);

    /** The finalized block is not known here: the depth counts. */
    private static RawJson answer(CallContext context) {
        context.trace().answeredBy("node0", 1);
        return switch (context.call().method()) {
            case "eth_getBalance" -> RawJson.of("\"0x7\"");
            case "eth_getLogs" -> RawJson.EMPTY_ARRAY;
            default -> RawJson.NULL;
        };
    }

    @AfterEach
    void close() {
        fixture.memory.close();
    }

    @Test
    void parametersThatStandBeforeAKeptResultNeedNoCheck() {
        fixture.ask("eth_getBalance", KEPT);
        assertThat(recall("eth_getBalance", KEPT, Caller.PROXY)).isEqualTo(new RpcReply.Result(RawJson.of("\"0x7\"")));
        assertThat(fixture.cache.meters().lookups(ResultKind.VALUE, LookupOutcome.HIT))
                .isEqualTo(1);
    }

    @Test
    void otherWordsForTheSameGoTheirWay() {
        fixture.ask("eth_getBalance", KEPT);
        assertThat(recall("eth_getBalance", KEPT.replace("0x10", "0x010"), Caller.PROXY))
                .isNull();
        assertThat(recall("eth_getBalance", KEPT.replace("0x10", "latest"), Caller.PROXY))
                .isNull();
        assertThat(recall("eth_getCode", KEPT, Caller.PROXY)).isNull();
    }

    @Test
    void whoGoesPastTheMemoryIsNotAnsweredFromIt() {
        fixture.ask("eth_getBalance", KEPT);
        assertThat(recall("eth_getBalance", KEPT, CacheFixture.BYPASSING)).isNull();
    }

    @Test
    void anUnprovenListOfLogsIsNoAnswerToWhoRequiresAProof() {
        String params = "[{\"fromBlock\":\"0x10\",\"toBlock\":\"0x10\"}]";
        fixture.ask("eth_getLogs", params);
        fixture.ask("eth_getBalance", KEPT);
        Caller strict = Caller.PROXY.demanding(false, true);
        assertThat(recall("eth_getLogs", params, strict)).isNull();
        assertThat(recall("eth_getLogs", params, Caller.PROXY)).isEqualTo(new RpcReply.Result(RawJson.EMPTY_ARRAY));
        assertThat(recall("eth_getBalance", KEPT, strict)).isEqualTo(new RpcReply.Result(RawJson.of("\"0x7\"")));
    }

    @Test
    void aFinalBlockIsRecalledByItsHeightTooOnceItWasGivenOutSo() {
        VectorNode node = new VectorNode();
        CacheFixture blocks = new CacheFixture(node, node::head);
        String number = node.blockWithTransactions(20).get("number").asString();
        String params = "[\"" + number + "\",true]";
        blocks.ask("eth_getBlockByNumber", params);
        assertThat(recall(blocks, "eth_getBlockByNumber", params, Caller.PROXY))
                .as("not given out from memory yet")
                .isNull();
        blocks.ask("eth_getBlockByNumber", params);
        assertThat(blocks.status()).isEqualTo("hit");
        RpcReply reply = recall(blocks, "eth_getBlockByNumber", params, Caller.PROXY);
        assertThat(reply).isInstanceOf(RpcReply.Result.class);
        assertThat(recall(blocks, "eth_getBlockByNumber", params.replace("true", "false"), Caller.PROXY))
                .as("its hashes only")
                .isNull();

        blocks.memory.store().purge(CacheFixture.NETWORK.name(), result -> true);
        assertThat(recall(blocks, "eth_getBlockByNumber", params, Caller.PROXY))
                .as("gone")
                .isNull();
        blocks.memory.close();
    }

    @Test
    void aBlockThatIsNotFinalIsNotRecalledByItsHeight() {
        ForkingChain chain = new ForkingChain(5);
        CacheFixture blocks = new CacheFixture(chain, chain::head);
        chain.mine(100);
        blocks.ask("eth_getBlockByNumber", "[\"0x63\",true]");
        blocks.ask("eth_getBlockByNumber", "[\"0x63\",true]");
        assertThat(recall(blocks, "eth_getBlockByNumber", "[\"0x63\",true]", Caller.PROXY))
                .isNull();
        blocks.memory.close();
    }

    private RpcReply recall(String method, String params, Caller caller) {
        return recall(fixture, method, params, caller);
    }

    private static RpcReply recall(CacheFixture fixture, String method, String params, Caller caller) {
        RpcCall call = new RpcCall(RawJson.of("1"), method, RawJson.of(params));
        CallContext context = new CallContext(
                call,
                caller,
                CacheFixture.NETWORK,
                fixture.loop,
                System.nanoTime(),
                System.nanoTime() + 60_000_000_000L);
        return fixture.cache.fastPath(MethodCatalogue.ethereum().facts(method)).tryCached(context);
    }
}
