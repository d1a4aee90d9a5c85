package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.cache.BlockKeys;
import io.weir.cache.BlockKeys.BlockPosition;
import io.weir.cache.BlockQuestion;
import io.weir.cache.CachedResult;
import io.weir.cache.CachedResult.BlockRef;
import io.weir.cache.CallKey;
import io.weir.cache.SourceMarks;
import io.weir.cache.memory.ResultMemory;
import io.weir.chain.BlockLink;
import io.weir.chain.ChainView;
import io.weir.chain.Finalities;
import io.weir.chain.Finality;
import io.weir.config.WeirConfig.CacheConfig;
import io.weir.jsonrpc.RawJson;
import io.weir.limit.Budget;
import io.weir.method.MethodFacts;
import io.weir.method.ResultKind;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.metrics.Meters;
import io.weir.pipeline.admission.CanonicalCheck;
import io.weir.pipeline.watch.ChainWatch;
import io.weir.pipeline.watch.NetworkChain;
import io.weir.pipeline.watch.ShownBlocks;
import io.weir.upstream.FakeHead;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which stored block is the one at its height, or has a transaction: two blocks of number 16, with the same transaction. */
class CachedPlacesTest {

    private static final String A = "0x" + "a".repeat(64);
    private static final String B = "0x" + "b".repeat(64);
    private static final String TRANSACTION = "0x" + "c".repeat(64);
    private static final CallKey HEIGHT = BlockKeys.height("net", 16);
    private static final String BY_NUMBER = "eth_getBlockByNumber [\"0x10\",true]";
    private static final String BY_TRANSACTION = "eth_getTransactionByHash [\"" + TRANSACTION + "\"]";

    private final ResultMemory memory =
            ResultMemory.of(new CacheConfig(1 << 20), new Budget(1 << 20), new Meters(new MetricRegistry()));
    private final SourceMarks marks = SourceMarks.of(List.of("liar"));
    private final ChainView view = new ChainView();
    private final FakeHead head = new FakeHead(0);
    private final Finality finalized = head.finality;
    private final NetworkChain chain = new NetworkChain(
            view,
            finalized,
            new ChainWatch(head, view, finalized, null, 0, count -> true, () -> 0),
            null,
            new ShownBlocks());
    private final NetworkMemory blocks = new NetworkMemory(
            "net",
            true,
            true,
            memory,
            null,
            chain,
            new CanonicalCheck(chain, false, marks),
            null,
            new NetworkMemory.Aliases());

    @AfterEach
    void close() {
        memory.close();
    }

    private void store(CallKey key, RawJson value, String source, boolean lasting, boolean placed) {
        BlockRef block = new BlockRef(16, A, CachedResult.ANY_STAMP);
        CachedResult result = new CachedResult(value, ResultKind.BLOCK, "", block, lasting, marks.of(source));
        memory.store().put(key, result.with(placed, null), memory.store().purges());
    }

    /** Stores block A, which is final, and whose content is proven. */
    private void storeBlock(boolean placed) {
        String json =
                "{\"number\":\"0x10\",\"hash\":\"%s\",\"parentHash\":\"%s\",\"uncles\":[],\"transactions\":[{%s}]}"
                        .formatted(
                                A,
                                B,
                                "\"hash\":\"%s\",\"blockHash\":\"%s\",\"blockNumber\":\"0x10\",\"transactionIndex\":\"0x0\""
                                        .formatted(TRANSACTION, A));
        store(BlockKeys.block("net", A), RawJson.of(json), "", true, placed);
    }

    /** Stores, by the word of a node, where something is. */
    private void storePosition(CallKey key, String hash, String source, boolean lasting) {
        store(key, new BlockPosition(hash, 0).json(), source, lasting, true);
    }

    private static CheckedParams params(String call) {
        String method = call.substring(0, call.indexOf(' '));
        MethodFacts facts = MethodCatalogue.ethereum().facts(method);
        try {
            return Objects.requireNonNull(facts.params()).check(RawJson.of(call.substring(method.length() + 1)));
        } catch (InvalidParamsException e) {
            throw new AssertionError(e);
        }
    }

    private boolean isAnswered(String call) {
        String method = call.substring(0, call.indexOf(' '));
        BlockQuestion question =
                BlockQuestion.of(MethodCatalogue.ethereum().facts(method).blockField(), params(call));
        return blocks.find(Objects.requireNonNull(question), true).answer() != null;
    }

    @Test
    void whichBlockIsAtAHeightIsNotTakenFromALiar() {
        storeBlock(true);
        storePosition(HEIGHT, A, "liar", true);
        assertThat(isAnswered(BY_NUMBER)).isTrue();
        marks.revoke("liar");
        assertThat(isAnswered(BY_NUMBER)).isFalse();
    }

    @Test
    void whichBlockIsAtAHeightIsKnownForGoodOnlyOnceItIsFinal() {
        storeBlock(true);
        storePosition(HEIGHT, A, "", false);
        assertThat(isAnswered(BY_NUMBER)).isFalse();
    }

    @Test
    void whichBlockHasATransactionIsNotTakenFromALiar() {
        storeBlock(true);
        storePosition(BlockKeys.transaction("net", TRANSACTION), A, "liar", true);
        assertThat(isAnswered(BY_TRANSACTION)).isTrue();
        marks.revoke("liar");
        assertThat(isAnswered(BY_TRANSACTION)).isFalse();
    }

    @Test
    void aBlockOfWhichOnlyTheContentIsKnownAnswersIfItIsTheFinalOneAtItsHeight() {
        storeBlock(false);
        storePosition(BlockKeys.transaction("net", TRANSACTION), A, "", true);
        assertThat(isAnswered(BY_TRANSACTION)).isFalse();
        storePosition(HEIGHT, B, "", true);
        assertThat(isAnswered(BY_TRANSACTION)).as("another one is final").isFalse();
        storePosition(HEIGHT, A, "", true);
        assertThat(isAnswered(BY_TRANSACTION)).isTrue();
    }

    @Test
    void theWordOfALiarAboutAHeightIsReplaced() {
        storePosition(HEIGHT, B, "liar", true);
        blocks.noteFinal(16, A, memory.store().purges(), SourceMarks.NONE);
        assertThat(memory.store().get(HEIGHT).value().toString()).contains(B);
        marks.revoke("liar");
        blocks.noteFinal(16, A, memory.store().purges(), SourceMarks.NONE);
        assertThat(memory.store().get(HEIGHT).value().toString()).contains(A);
    }

    @Test
    void thePlaceOfABlockIsNotKnownForGoodBeforeTheChainWasCheckedAfterFinalityPassedIt() {
        storeBlock(false);
        view.restart(List.of(new BlockLink(16, A, B)), "a");
        Finalities.raise(finalized, 20);
        assertThat(isAnswered(BY_NUMBER)).as("as the chain now stands").isTrue();
        assertThat(memory.store().get(BlockKeys.block("net", A)).placed()).isFalse();
        assertThat(memory.store().get(HEIGHT)).isNull();
    }

    @Test
    void theNumberOfABlockIsKnownIfItIsFinalAtItsPlace() {
        CheckedParams byHash = params("eth_getBlockByHash [\"" + A + "\",true]");
        assertThat(blocks.finalBlockOf(byHash)).isEqualTo(-1);
        storeBlock(false);
        assertThat(blocks.finalBlockOf(byHash)).as("an orphan, maybe").isEqualTo(-1);
        storeBlock(true);
        assertThat(blocks.finalBlockOf(byHash)).isEqualTo(16);
        storePosition(BlockKeys.transaction("net", TRANSACTION), A, "liar", true);
        assertThat(blocks.finalBlockOf(params(BY_TRANSACTION))).isEqualTo(16);
        marks.revoke("liar");
        assertThat(blocks.finalBlockOf(params(BY_TRANSACTION))).isEqualTo(-1);
    }
}
