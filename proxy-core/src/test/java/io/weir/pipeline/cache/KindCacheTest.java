package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoop;
import io.weir.api.BlockForm;
import io.weir.api.NetworkMethod.Parameter;
import io.weir.cache.CacheMeters;
import io.weir.cache.SourceMarks;
import io.weir.cache.memory.ResultMemory;
import io.weir.chain.FinalityAgreement.Agreed;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.limit.Budget;
import io.weir.method.params.BlockIds;
import io.weir.method.params.BlockTag;
import io.weir.method.params.KindParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.HandPool;
import io.weir.pipeline.Nodes;
import io.weir.upstream.NetworkFinality;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.UpstreamStatus.Health;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results on a network of a plugin's kind, which are stored once their block is final. */
class KindCacheTest {

    private static final BlockIds BLOCKS = new BlockIds(new BlockForm(
            "kind_block",
            "latest",
            Set.of("pending"),
            "accepted",
            new BlockForm.Status(Set.of("status"), "FINAL"),
            new BlockForm.Members("number", "hash", "parent", "time")));
    private static final KindParams PARAMS = new KindParams(BLOCKS, List.of(Parameter.block("block")));
    private static final String BY_NUMBER = "[{\"number\":7}]";
    private static final String BY_HASH = "[{\"hash\":\"0xa7\"}]";
    private static final String MISS = "fwd=uri-miss";

    private final HandPool pool = new HandPool();
    private final ResultMemory memory =
            ResultMemory.of(new CacheConfig(1 << 20, 1, 1, 1 << 20), new Budget(1 << 20), pool.meters());
    private final SourceMarks marks = SourceMarks.of(List.of("a", "b"));
    private final Finality finality = new Finality();
    private long now;
    private int budget = 1;
    private KindCache cache = cache(false);

    /** Finality of which a test says what nodes agree on. */
    private static final class Finality implements NetworkFinality {
        private long agreed = -1;
        private int asked;

        @Override
        public void whenKnown(EventLoop loop, BlockTag tag, long deadlineNanos, Consumer<Agreed> sink) {
            asked++;
            sink.accept(new Agreed(agreed, null, false));
        }

        @Override
        public void used(BlockTag tag, long number) {}
    }

    KindCacheTest() {
        pool.head.tracker().raise(100);
        pool.head.finality = finality;
        pool.nodes.forEach(node -> ((HandNode) node).answering(block("0xa7", 7, "FINAL")));
    }

    @AfterEach
    void close() {
        memory.close();
    }

    private KindCache cache(boolean alone) {
        CacheMeters meters = new CacheMeters(pool.meters(), "net");
        KindCache.Writing writing = new KindCache.Writing("net", memory, meters, marks);
        return new KindCache(writing, Nodes.of(pool, pool.forwarding()), alone, () -> budget-- > 0, () -> now);
    }

    private static NodeOutcome block(String hash, long number, String status) {
        return HandNode.result(
                "{\"hash\":\"%s\",\"number\":%d,\"status\":\"%s\"}".formatted(hash, number, status));
    }

    /** Asks for a block, whose status says whether it is final; returns the cache status. */
    private String askBlock(String params) {
        return ask(true, "kind_block", params);
    }

    /** Asks for a result that says nothing about its block; returns the cache status. */
    private String askValue(String params) {
        return ask(false, "kind_value", params);
    }

    private String ask(boolean byStatus, String method, String params) {
        return ask(byStatus, pool.context("client", method, params, 10_000));
    }

    private String ask(boolean byStatus, CallContext context) {
        try {
            context.checked(PARAMS.check(context.call().params(), false));
        } catch (InvalidParamsException e) {
            throw new AssertionError(e);
        }
        pool.send(new KindCacheStage(cache, BLOCKS, byStatus, pool.forwarding().over(pool, true)), context);
        pool.runLoop();
        return context.trace().cacheStatus();
    }

    @Test
    void aBlockIsFinalOnceTwoNodesSaySoAndNotByTheWordOfOne() {
        askBlock(BY_HASH);
        assertThat(askBlock(BY_HASH)).as("by the word of one node").isEqualTo(MISS);
        pool.a.health = Health.DOWN;
        assertThat(askBlock(BY_HASH)).isEqualTo(MISS);
        assertThat(askBlock(BY_HASH)).as("by the words of two").isEqualTo("hit");
    }

    @Test
    void onANetworkOfOneNodeItsWordCounts() {
        cache = cache(true);
        assertThat(askBlock(BY_NUMBER)).isEqualTo(MISS);
        assertThat(askBlock(BY_NUMBER)).isEqualTo("hit");
        assertThat(pool.b.asked).isEmpty();
    }

    @Test
    void aBlockThatIsNotFinalIsNotStored() {
        cache = cache(true);
        pool.a.answering(block("0xa7", 7, "NEW"));
        askBlock(BY_HASH);
        assertThat(askBlock(BY_HASH)).isEqualTo(MISS);
    }

    @Test
    void whichBlockIsAtAHeightIsStoredIfAnotherNodeNamesTheSame() {
        finality.agreed = 50;
        askBlock(BY_NUMBER);
        assertThat(pool.b.texts()).containsExactly("kind_block" + BY_NUMBER);
        assertThat(askBlock(BY_NUMBER)).isEqualTo("hit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"hash\":\"0xb7\",\"number\":7}", "{\"hash\":\"0xa7\"}", "null", "[]"})
    void whichBlockIsAtAHeightIsNotStoredIfAnotherNodeSaysOtherwise(String other) {
        finality.agreed = 50;
        budget = 2;
        pool.b.answering(HandNode.result(other));
        askBlock(BY_NUMBER);
        assertThat(askBlock(BY_NUMBER)).isEqualTo(MISS);
        assertThat(pool.b.asked).hasSize(2);
    }

    @Test
    void withoutBudgetNoOtherNodeIsAskedAndNothingIsStored() {
        finality.agreed = 50;
        budget = 0;
        askBlock(BY_NUMBER);
        assertThat(askBlock(BY_NUMBER)).isEqualTo(MISS);
        assertThat(pool.b.asked).isEmpty();
    }

    @Test
    void aResultWithoutStatusIsStoredIfItsBlockIsFinal() {
        finality.agreed = 7;
        assertThat(askValue(BY_NUMBER)).isEqualTo(MISS);
        assertThat(askValue(BY_NUMBER)).isEqualTo("hit");
        askValue("[{\"number\":8}]");
        assertThat(askValue("[{\"number\":8}]")).isEqualTo(MISS);
        askValue(BY_HASH);
        assertThat(askValue(BY_HASH)).as("the call names no number").isEqualTo(MISS);
    }

    @Test
    void nullIsNotStored() {
        finality.agreed = 50;
        pool.a.answering(HandNode.result("null"));
        askValue(BY_NUMBER);
        assertThat(askValue(BY_NUMBER)).isEqualTo(MISS);
    }

    @Test
    void nodesAreAskedForTheFinalBlockOnceInAWhileAndNeverBecauseOfTheHead() {
        askValue("[{\"number\":100}]");
        assertThat(finality.asked).isZero();
        askValue("[{\"number\":99}]");
        askValue("[{\"number\":98}]");
        assertThat(finality.asked).isEqualTo(1);
        now += KindCache.PAUSE_NANOS;
        askValue("[{\"number\":98}]");
        assertThat(finality.asked).isEqualTo(2);
    }

    @Test
    void theResultsOfALiarAreNotServed() {
        finality.agreed = 50;
        askValue(BY_NUMBER);
        marks.revoke("b");
        assertThat(askValue(BY_NUMBER)).isEqualTo("hit");
        marks.revoke("a");
        assertThat(askValue(BY_NUMBER)).isEqualTo(MISS);
    }

    @Test
    void aCallerWhoWantsItIsAnsweredPastTheCache() {
        finality.agreed = 50;
        askValue(BY_NUMBER);
        CallContext plain = pool.context("client", "kind_value", BY_NUMBER, 10_000);
        CallContext bypassing = new CallContext(
                plain.call(), CacheFixture.BYPASSING, plain.network(), plain.loop(), 0, plain.deadlineNanos());
        assertThat(ask(false, bypassing)).isEqualTo("fwd=request");
        assertThat(pool.a.asked).hasSize(2);
    }

    @Test
    void everythingIsForgottenOnceFinalBlocksAreGone() {
        askBlock(BY_HASH);
        pool.a.health = Health.DOWN;
        askBlock(BY_HASH);
        cache.wentBack(100, 7);
        assertThat(askBlock(BY_HASH)).as("up to the head").isEqualTo("hit");
        cache.wentBack(100, 6);
        await().pollInterval(Duration.ofMillis(1)).until(() -> memory.store().entries() == 0);
        assertThat(askBlock(BY_HASH)).isEqualTo(MISS);
        assertThat(askBlock(BY_HASH)).as("by the word of one node about the present chain").isEqualTo(MISS);
        pool.a.health = Health.HEALTHY;
        askBlock(BY_HASH);
        assertThat(askBlock(BY_HASH)).isEqualTo("hit");
    }
}
