package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.TestCaller;
import io.weir.cache.CacheMeters.LookupOutcome;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.method.ResultKind;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A call that stalls between its look into memory and its call to a node, while an equal call begins and ends. */
class LeaderLookTest {

    private static final String BLOCK = "eth_getBlockByNumber";
    private static final String PARAMS = "[\"0x14\",true]";

    private final ForkingChain chain = new ForkingChain(5);
    private final CacheFixture weir = new CacheFixture(chain, chain::head);
    private CallContext stalled;

    @BeforeEach
    void growTheChain() {
        chain.mine(100);
    }

    /** The calls for whole blocks that reached the node. */
    private List<String> calls() {
        return chain.asked.stream().filter(call -> !call.endsWith(",false]")).toList();
    }

    /** Makes a call that has read memory, and lets this happen before it goes on. */
    private AtomicReference<RpcReply> stall(
            CacheFixture proxy, Stage node, String method, String params, Runnable meanwhile) {
        MethodFacts facts = MethodCatalogue.ethereum().facts(method);
        Stage behind = proxy.cache.coalesceStage(proxy.cache.proofStage(facts, node));
        Stage stage = proxy.cache.cacheStage(facts, (context, sink) -> {
            if (context == stalled) {
                meanwhile.run();
            }
            behind.handle(context, sink);
        });
        long now = System.nanoTime();
        RpcCall call = new RpcCall(RawJson.of("1"), method, RawJson.of(params));
        stalled = new CallContext(
                call, TestCaller.CLIENT, CacheFixture.NETWORK, proxy.loop, now, now + TimeUnit.MINUTES.toNanos(1));
        try {
            stalled.checked(Objects.requireNonNull(facts.params()).check(call.params()));
        } catch (InvalidParamsException e) {
            throw new AssertionError(e);
        }
        AtomicReference<RpcReply> reply = new AtomicReference<>();
        stage.handle(stalled, reply::set);
        proxy.channel.runPendingTasks();
        return reply;
    }

    private long blockLookups(LookupOutcome outcome) {
        return weir.cache.meters().lookups(ResultKind.BLOCK, outcome);
    }

    @Test
    void anAnswerThatCameMeanwhileIsServedFromMemory() {
        AtomicReference<RpcReply> reply = stall(weir, chain, BLOCK, PARAMS, () -> weir.ask(BLOCK, PARAMS));

        assertThat(calls()).containsExactly(BLOCK + PARAMS);
        assertThat(((RpcReply.Result) reply.get()).value()).hasToString(chain.answer(BLOCK, PARAMS));
        assertThat(stalled.trace().cacheStatus()).isEqualTo("hit");
        assertThat(blockLookups(LookupOutcome.MISS)).isEqualTo(1);
        assertThat(blockLookups(LookupOutcome.HIT)).isEqualTo(1);
    }

    @Test
    void aPartIsCutOutOfTheBlockThatCameMeanwhile() {
        String count = "eth_getTransactionByBlockNumberAndIndex";
        stall(weir, chain, count, "[\"0x14\",\"0x0\"]", () -> weir.ask(BLOCK, PARAMS));

        assertThat(calls()).containsExactly(BLOCK + PARAMS);
        assertThat(stalled.trace().cacheStatus()).isEqualTo("hit; detail=derived");
    }

    @Test
    void nobodyWaitsAnyMoreForTheBlockOfACallThatWasServedLate() {
        stall(weir, chain, BLOCK, PARAMS, () -> weir.ask(BLOCK, PARAMS));
        weir.memory.store().purge(CacheFixture.NETWORK.name(), result -> true);

        assertThat(weir.ask(BLOCK, PARAMS)).isEqualTo(chain.answer(BLOCK, PARAMS));
        assertThat(calls()).hasSize(2);
    }

    @Test
    void aBlockThatCameMeanwhileIsNotFetchedAndCountsAsNoLookup() {
        String hash = chain.block(20).hash();
        weir.ask("eth_getTransactionByBlockHashAndIndex", "[\"" + hash + "\",\"0x0\"]");
        MethodFacts facts = MethodCatalogue.ethereum().facts("eth_getBlockByHash");
        Stage behind = weir.cache.coalesceStage(weir.cache.proofStage(facts, chain));
        AtomicBoolean stalls = new AtomicBoolean(true);
        weir.cache.cacheStage(facts, (context, sink) -> {
            if (stalls.getAndSet(false)) {
                weir.ask(BLOCK, PARAMS);
            }
            behind.handle(context, sink);
        });

        assertThat(weir.ask("eth_getBlockTransactionCountByHash", "[\"" + hash + "\"]"))
                .isEqualTo("\"0x1\"");
        assertThat(stalls).isFalse();
        assertThat(calls()).hasSize(2).contains(BLOCK + PARAMS);
        assertThat(blockLookups(LookupOutcome.MISS)).isEqualTo(1);
        assertThat(blockLookups(LookupOutcome.HIT)).isZero();
        assertThat(blockLookups(LookupOutcome.DERIVED)).isZero();
    }

    @Test
    void withoutAnyAnswerMeanwhileTheNodeIsAskedAndOneMissIsCounted() {
        stall(weir, chain, BLOCK, PARAMS, () -> {});

        assertThat(calls()).containsExactly(BLOCK + PARAMS);
        assertThat(stalled.trace().cacheStatus()).isEqualTo("fwd=uri-miss");
        assertThat(blockLookups(LookupOutcome.MISS)).isEqualTo(1);
        assertThat(blockLookups(LookupOutcome.HIT)).isZero();
    }

    @Test
    void anAnswerThatIsBeingVerifiedIsAwaited() {
        VectorNode node = new VectorNode();
        CacheFixture verifying = new CacheFixture(node, node::head, Verify.BEFORE_CACHING, 1);
        String params = "[" + node.blockWithTransactions(50).get("number") + ",true]";
        verifying.ask(BLOCK, "[\"finalized\",false]");
        AtomicReference<RpcReply> reply = stall(verifying, node, BLOCK, params, () -> verifying.ask(BLOCK, params));
        verifying.awaitVerified();

        assertThat(verifying.awaitAnswer(reply)).contains("transactionsRoot");
        assertThat(node.asked.stream().filter((BLOCK + params)::equals)).hasSize(1);
        assertThat(stalled.trace().cacheStatus()).isEqualTo("hit");
    }
}
