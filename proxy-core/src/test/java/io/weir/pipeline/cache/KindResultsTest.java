package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.BlockForm;
import io.weir.api.NetworkMethod;
import io.weir.api.NetworkMethod.Lifetime;
import io.weir.api.NetworkMethod.Parameter;
import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.cache.SourceMarks;
import io.weir.cache.memory.ResultMemory;
import io.weir.cache.tier.TierStack;
import io.weir.chain.Finalities;
import io.weir.chain.Finality;
import io.weir.config.NetworkConfig;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockTag;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.HandPool;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.Stage;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.FakeStream;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.verify.VerifyExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results on a network of a plugin's kind, which are stored once their block is final. */
class KindResultsTest {

    /** Names its block, and says whether that is final. */
    private static final String BLOCK = "kind_block";

    /** Says nothing about its block. */
    private static final String VALUE = "kind_value";

    /** Names its block in the answer alone. */
    private static final String RECEIPT = "kind_receipt";

    private static final BlockForm FORM = new BlockForm(
            BLOCK,
            "latest",
            Set.of("pending"),
            "accepted",
            new BlockForm.Status(Set.of("status"), "FINAL"),
            new BlockForm.Members("number", "hash", "parent", "time"));

    private static final MethodCatalogue CATALOGUE = MethodCatalogue.ofKind(
            List.of(
                    method(BLOCK).lasting(Lifetime.BY_STATUS),
                    method(VALUE).lasting(Lifetime.OF_BLOCK),
                    NetworkMethod.read(RECEIPT)
                            .takes(Parameter.other("transaction"))
                            .lasting(Lifetime.BY_STATUS),
                    method("kind_volatile")),
            FORM,
            null,
            false);
    private static final String BY_NUMBER = "[{\"number\":7}]";
    private static final String BY_HASH = "[{\"hash\":\"0xa7\"}]";
    private static final String MISS = "fwd=uri-miss";

    private final HandPool pool = new HandPool();
    private final ResultMemory memory = ResultMemory.of(
            new CacheConfig(1 << 20),
            new VerifyExecutor(1, 1 << 20),
            new Budget(1 << 20),
            pool.meters(),
            TierStack.NONE);
    /** Block that all nodes call final. */
    private long agreed = -1;

    private int asked;
    private long now;
    private NetworkCache cache;

    /** Answer to a call, and how the cache took part in it. */
    private record Answer(RpcReply reply, @Nullable String status) {}

    KindResultsTest() {
        pool.head.tracker().raise(100);
        nodes(2);
        cache = cache();
        pool.a.answering(block("FINAL"));
        pool.b.answering(block("FINAL"));
    }

    private void nodes(int count) {
        Finality finality = new Finality(pool.head.tracker(), count, 64, false, () -> now);
        pool.head.finality = finality;
        pool.head.clock = () -> now;
        pool.head.finalBlocks = (loop, then) -> {
            asked++;
            if (agreed >= 0) {
                Finalities.agree(finality, BlockTag.FINALIZED, agreed, "");
            }
            then.run();
        };
    }

    @AfterEach
    void close() {
        memory.close();
    }

    private static NetworkMethod method(String name) {
        return NetworkMethod.read(name).takes(Parameter.block("block"));
    }

    private static NodeOutcome block(String status) {
        return HandNode.result("{\"hash\":\"0xa7\",\"number\":7,\"status\":\"" + status + "\"}");
    }

    /** Returns the cache of a network with two nodes, unless lines of its settings say otherwise. */
    private NetworkCache cache(String... settings) {
        List<String> lines = new ArrayList<>(List.of(settings));
        lines.add("kind = l2");
        if (Stream.of(settings).noneMatch(line -> line.startsWith("upstreams"))) {
            lines.add(NetworkSettings.upstreams(2));
        }
        NetworkConfig config = NetworkSettings.of("net", lines.toArray(String[]::new));
        return NetworkCache.of(
                config, Nodes.of(pool, pool.forwarding(), BlockIds.of(FORM)), memory, pool.meters(), () -> now);
    }

    /** Returns the cache of a network with one node. */
    private NetworkCache cacheOfOne() {
        nodes(1);
        return cache(NetworkSettings.upstreams(1));
    }

    private Stage stage(String method, Stage next) {
        return cache.cacheStage(CATALOGUE.facts(method), (context, sink) -> {
            CallContext.MemoryLook look = context.memoryLook();
            if (look == null) {
                next.handle(context, sink);
            } else {
                look.look(sink, () -> next.handle(context, sink));
            }
        });
    }

    private void setBackTo(long number) {
        pool.head.named.add(number);
        pool.head.tracker().outdate();
        pool.head.whenFresh(context(BLOCK, BY_HASH).loop(), System.nanoTime(), head -> {});
        assertThat(pool.head.tracker().number()).isEqualTo(number);
    }

    private CallContext context(String method, String params) {
        return pool.context("client", method, params, 10_000);
    }

    private Answer ask(CallContext context, Stage next) {
        RpcCall call = context.call();
        MethodFacts facts = CATALOGUE.facts(call.method());
        try {
            context.checked(Objects.requireNonNull(facts.params()).check(call.params()));
        } catch (InvalidParamsException e) {
            throw new AssertionError(e);
        }
        List<RpcReply> replies = pool.send(stage(call.method(), next), context);
        pool.runLoop();
        assertThat(replies).hasSize(1);
        return new Answer(replies.get(0), context.trace().cacheStatus());
    }

    private Answer ask(String method, String params) {
        return ask(context(method, params), pool.forwarding().over(pool, true));
    }

    private void assertHit(String method, String params) {
        assertThat(ask(method, params).status()).isEqualTo("hit");
    }

    private void assertMiss(String method, String params) {
        assertThat(ask(method, params).status()).isEqualTo(MISS);
    }

    private void assertStored(String method, String params) {
        Answer first = ask(method, params);
        assertThat(first.status()).isEqualTo(MISS);
        assertThat(ask(method, params)).isEqualTo(new Answer(first.reply(), "hit"));
    }

    private void assertNotStored(String method, String params) {
        assertMiss(method, params);
        assertMiss(method, params);
    }

    /** Stores a block that two nodes call final. */
    private void storeFinalBlock() {
        ask(BLOCK, BY_HASH);
        pool.a.health = Health.DOWN;
        ask(BLOCK, BY_HASH);
        assertHit(BLOCK, BY_HASH);
    }

    @Test
    void aBlockIsFinalOnceTwoNodesSaySoAndNotByTheWordOfOne() {
        assertNotStored(BLOCK, BY_HASH);
        pool.a.health = Health.DOWN;
        assertStored(BLOCK, BY_HASH);
    }

    @Test
    void onANetworkOfOneNodeItsWordCounts() {
        cache = cacheOfOne();
        assertNotStored(VALUE, BY_NUMBER);
        assertStored(BLOCK, BY_NUMBER);
        assertStored(VALUE, BY_NUMBER);
        assertThat(pool.b.asked).isEmpty();
    }

    @Test
    void aBlockThatIsNotFinalIsNotStored() {
        cache = cacheOfOne();
        pool.a.answering(block("NEW"));
        assertNotStored(BLOCK, BY_HASH);
    }

    @Test
    void whichBlockIsAtAHeightIsStoredIfAnotherNodeNamesTheSame() {
        agreed = 50;
        assertStored(BLOCK, BY_NUMBER);
        assertThat(pool.b.texts()).containsExactly(BLOCK + BY_NUMBER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"hash\":\"0xb7\",\"number\":7}", "{\"hash\":\"0xa7\"}", "null", "[]"})
    void whichBlockIsAtAHeightIsNotStoredIfAnotherNodeSaysOtherwise(String other) {
        agreed = 50;
        pool.b.answering(HandNode.result(other));
        assertNotStored(BLOCK, BY_NUMBER);
        assertThat(pool.b.asked).hasSize(2);
    }

    @Test
    void withoutBudgetNoOtherNodeIsAskedAndNothingIsStored() {
        agreed = 50;
        cache = cache("gather.enabled = off");
        assertNotStored(BLOCK, BY_NUMBER);
        assertThat(pool.b.asked).isEmpty();
    }

    @Test
    void aResultWithoutStatusIsStoredIfItsBlockIsFinal() {
        agreed = 7;
        assertStored(VALUE, BY_NUMBER);
        assertNotStored(VALUE, "[{\"number\":8}]");
        assertNotStored(VALUE, BY_HASH);
    }

    @Test
    void aResultOfAMethodWhoseAnswersDoNotLastIsNotStored() {
        agreed = 50;
        for (int i = 0; i < 2; i++) {
            assertThat(ask("kind_volatile", BY_NUMBER).status()).isEqualTo("fwd=method");
        }
    }

    @Test
    void nullIsNotStored() {
        agreed = 50;
        pool.a.answering(HandNode.result("null"));
        assertNotStored(VALUE, BY_NUMBER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"degraded", "collapsed", "of no node"})
    void anAnswerThatNoHealthyNodeGaveToThisCallIsNotStored(String kind) {
        agreed = 50;
        Stage next = (context, sink) -> {
            if (kind.equals("degraded")) {
                context.trace().markDegraded();
            } else if (kind.equals("collapsed")) {
                context.trace().sharedFrom(new CallTrace());
            }
            if (!kind.equals("of no node")) {
                context.trace().answeredBy("a", 1);
            }
            sink.accept(new RpcReply.Result(RawJson.of("1")));
        };
        ask(context(VALUE, BY_NUMBER), next);
        assertMiss(VALUE, BY_NUMBER);
    }

    @Test
    void aLargeResultIsStoredOnceItIsWhole() {
        agreed = 50;
        List<Consumer<@Nullable RawJson>> copies = new ArrayList<>();
        FakeStream stream = new FakeStream() {
            @Override
            public boolean copyTo(long maxBytes, Consumer<@Nullable RawJson> copy) {
                return copies.add(copy);
            }
        };
        Stage next = (context, sink) -> {
            context.trace().answeredBy("a", 1);
            sink.accept(stream);
        };
        ask(context(VALUE, BY_NUMBER), next);
        copies.get(0).accept(null);
        assertThat(memory.store().entries()).as("it broke off").isZero();
        ask(context(VALUE, BY_NUMBER), next);
        copies.get(1).accept(RawJson.of("1"));
        assertThat(ask(VALUE, BY_NUMBER)).isEqualTo(new Answer(new RpcReply.Result(RawJson.of("1")), "hit"));
    }

    @Test
    void onlyAnAnswerWhoseStatusMustBeReadIsNeededWhole() {
        assertThat(CATALOGUE.facts(VALUE).mayStream()).isTrue();
        assertThat(CATALOGUE.facts(BLOCK).mayStream()).isFalse();
    }

    @Test
    void aStoredResultThatTheBudgetHasNoRoomForIsShed() {
        agreed = 50;
        pool.a.answering(HandNode.result('"' + "a".repeat(20_000) + '"'));
        assertStored(VALUE, BY_NUMBER);
        memory.bytes().take(memory.bytes().max());
        assertThat(ask(VALUE, BY_NUMBER).reply()).isInstanceOf(RpcReply.Failure.class);
    }

    @Test
    void nodesAreAskedForTheFinalBlockOnceInAWhileAndNeverBecauseOfTheHead() {
        ask(VALUE, "[{\"number\":100}]");
        assertThat(asked).isZero();
        ask(VALUE, "[{\"number\":99}]");
        ask(VALUE, "[{\"number\":98}]");
        assertThat(asked).isEqualTo(1);
        now += TimeUnit.MINUTES.toNanos(1);
        ask(VALUE, "[{\"number\":98}]");
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void aResultHoldsTheMarkOfItsNode() {
        agreed = 50;
        SourceMarks marks = SourceMarks.of(List.of("a", "b"));
        ask(VALUE, BY_NUMBER);
        assertThat(stored(VALUE, BY_NUMBER).source()).isEqualTo(marks.of("a"));
        ask(BLOCK, BY_NUMBER);
        assertThat(stored(BLOCK, BY_NUMBER).source())
                .as("another node names the block, and proves nothing else of the answer")
                .isEqualTo(marks.of("a"));
    }

    private CachedResult stored(String method, String params) {
        return Objects.requireNonNull(memory.store().get(new CallKey("net", method, RawJson.of(params))));
    }

    @Test
    void aStoredResultIsServedBeforeTheStages() {
        agreed = 50;
        Answer first = ask(VALUE, BY_NUMBER);
        CallContext again = context(VALUE, BY_NUMBER);
        assertThat(Objects.requireNonNull(cache.fastPath(CATALOGUE.facts(VALUE)))
                        .tryCached(again))
                .isEqualTo(first.reply());
        assertThat(again.trace().cacheStatus()).isEqualTo("hit");
        assertThat(cache.fastPath(CATALOGUE.facts("kind_volatile"))).isNull();
    }

    @Test
    void aCallThatStillNamesATagIsNotStored() {
        cache = cacheOfOne();
        assertNotStored(BLOCK, "[\"accepted\"]");
        assertNotStored(BLOCK, "[\"latest\"]");
    }

    @Test
    void anAnswerAboutAnotherBlockThanTheCallsIsNotStored() {
        agreed = 50;
        assertNotStored(BLOCK, "[{\"number\":8}]");
        assertNotStored(BLOCK, "[{\"hash\":\"0xb7\"}]");
        assertStored(BLOCK, "[{\"hash\":\"0x00A7\"}]");
    }

    @Test
    void anAnswerOfAMethodThatNamesNoBlockIsStoredByItsStatusAlone() {
        agreed = 50;
        assertStored(RECEIPT, "[\"0x1\"]");
        assertThat(pool.b.asked).isEmpty();
    }

    @Test
    void neitherAProofNorATierIsAskedFor() {
        cache = cache("verify = before-serving");
        Stage next = pool.forwarding().over(pool, true);
        for (String method : List.of(BLOCK, VALUE, RECEIPT)) {
            assertThat(cache.proofStage(CATALOGUE.facts(method), next)).isSameAs(next);
            assertThat(cache.tierStage(CATALOGUE.facts(method), next)).isSameAs(next);
        }
    }

    @Test
    void aCallerWhoWantsItIsAnsweredPastTheCache() {
        agreed = 50;
        ask(VALUE, BY_NUMBER);
        CallContext plain = context(VALUE, BY_NUMBER);
        CallContext bypassing = new CallContext(
                plain.call(), CacheFixture.BYPASSING, plain.network(), plain.loop(), 0, plain.deadlineNanos());
        assertThat(ask(bypassing, pool.forwarding().over(pool, true)).status()).isEqualTo("fwd=request");
        assertThat(pool.a.asked).hasSize(2);
    }

    @Test
    void everythingIsForgottenOnceFinalBlocksAreGone() {
        storeFinalBlock();
        setBackTo(7);
        assertHit(BLOCK, BY_HASH);
        setBackTo(6);
        assertThat(memory.store().entries()).isZero();
        assertNotStored(BLOCK, BY_HASH);
        pool.a.health = Health.HEALTHY;
        assertStored(BLOCK, BY_HASH);
    }

    @Test
    void aBlockThatIsGoneByTheTimeAnotherNodeNamesItIsNotStored() {
        agreed = 50;
        pool.b.answers = call -> null;
        ask(BLOCK, BY_NUMBER);
        setBackTo(6);
        pool.b.asked.get(0).answer(block("FINAL"));
        assertMiss(BLOCK, BY_NUMBER);
    }
}
