package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.CachedResult;
import io.weir.cache.CallKey;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.RawJson;
import io.weir.method.params.BlockSelector;
import io.weir.pipeline.cache.ForkingChain.Block;
import io.weir.testing.chain.ChainStage;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept, and how long. */
class KeepingTest {

    private static final String ACCOUNT = "\"0x" + "0".repeat(40) + "\"";

    private final ForkingChain chain = new ForkingChain(2);
    private CacheFixture weir = new CacheFixture(chain, chain::head).amongOthers();

    @BeforeEach
    void growTheChain() {
        chain.mine(100);
    }

    private void assertKept(String method, String params) {
        String first = weir.ask(method, params);
        assertThat(weir.ask(method, params)).isEqualTo(first);
        assertThat(weir.status()).startsWith("hit");
    }

    private void assertNotKept(String method, String params) {
        weir.ask(method, params);
        weir.ask(method, params);
        assertThat(weir.status()).isEqualTo("fwd=uri-miss");
    }

    @Test
    void aBlockWithoutTransactionsIsKnownToBeEmptyOnceAClientHasReadIt() {
        TestChain made = new TestChain(1, new SignedTransactions(), Memory.FORGETS);
        made.mineOf(2);
        made.mineEmpty(1);
        weir = new CacheFixture(new ChainStage(made, new Random(1)), made::head);
        assertThat(weir.known.isEmpty(new BlockSelector.Height(2))).isFalse();
        weir.ask("eth_getBlockByNumber", "[\"0x1\",false]");
        weir.ask("eth_getBlockByNumber", "[\"0x2\",false]");
        assertThat(weir.known.isEmpty(new BlockSelector.Height(1))).isFalse();
        assertThat(weir.known.isEmpty(new BlockSelector.Height(2))).isTrue();
    }

    @Test
    void whatDependsOnAFinalBlockIsKeptWhateverHappens() {
        Block block = chain.block(30);
        assertKept("eth_getBlockByNumber", "[\"0x1e\",false]");
        assertKept("eth_getBlockByHash", "[\"" + block.hash() + "\",false]");
        assertKept("eth_getTransactionByHash", "[\"" + block.transaction() + "\"]");
        assertKept("eth_getTransactionByBlockNumberAndIndex", "[\"0x1e\",\"0x0\"]");
        assertKept("eth_getBlockReceipts", "[\"0x1e\"]");
        assertKept("eth_getBalance", "[" + ACCOUNT + ",\"0x1e\"]");
        chain.reorganise(40, 0);
        weir.changed();
        int before = chain.asked.size();
        weir.ask("eth_getBlockByNumber", "[\"0x1e\",false]");
        assertThat(chain.asked).hasSize(before);
    }

    @Test
    void whatDependsOnARecentBlockIsKeptWhileThatIsCanonical() {
        assertKept("eth_getBlockByNumber", "[\"latest\",false]");
        assertKept("eth_getTransactionReceipt", "[\"" + chain.block(100).transaction() + "\"]");
        chain.mine(1);
        weir.changed();
        int before = chain.asked.size();
        weir.ask("eth_getTransactionReceipt", "[\"" + chain.block(100).transaction() + "\"]");
        assertThat(weir.status()).startsWith("hit");
        assertThat(chain.asked.subList(before, chain.asked.size()))
                .as("the chain was looked at")
                .containsExactly("eth_getBlockByNumber[\"0x65\",false]");
    }

    @Test
    void anAnswerIsKeptThoughTheHeadRisesWhileTheChainIsLookedAt() {
        List<String> overtaken = new ArrayList<>();
        chain.beforeAnswer = question -> {
            if (question.equals("eth_getBlockByNumber[\"0x64\",false]") && overtaken.isEmpty()) {
                overtaken.add(question);
                chain.mine(1);
                weir.tracker.raise(chain.head());
            }
        };
        assertKept("eth_getBlockByNumber", "[\"0x63\",false]");
        assertThat(overtaken).hasSize(1);
    }

    @Test
    void stateOfARecentBlockIsKeptOnceItsBlockIsKnown() {
        weir.ask("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]");
        assertKept("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]");
        chain.reorganise(1, 0);
        weir.changed();
        assertThat(weir.ask("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]"))
                .contains(chain.block(100).hash().substring(2, 34));
    }

    @Test
    void stateThatAnotherUpstreamToldThanTheChainIsNotKept() {
        weir.ask("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]");
        chain.upstream = "b";
        assertNotKept("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]");
    }

    @Test
    void aBlockInAGapIsKeptOnceTheGapIsFilled() {
        weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
        assertKept("eth_getBlockByNumber", "[\"0x5a\",false]");
        assertThat(weir.cache.chain().view().hash(0x5a))
                .isEqualTo(chain.block(0x5a).hash());
    }

    @Test
    void aBlockThatIsNotKnownToBeCanonicalIsNotKept() {
        weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
        chain.otherParents = true;
        assertNotKept("eth_getBlockByNumber", "[\"0x5a\",false]");
    }

    @Test
    void theBlocksBeforeAKnownOneAreKnownOneByOne() {
        weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
        assertKept("eth_getBlockByNumber", "[\"0x63\",false]");
        assertKept("eth_getBlockByNumber", "[\"0x62\",false]");
    }

    @Test
    void anAnswerToAnotherQuestionIsNotKept() {
        Block other = chain.block(31);
        chain.instead.put(
                "eth_getTransactionReceipt",
                chain.answer("eth_getTransactionReceipt", "[\"" + other.transaction() + "\"]"));
        assertNotKept("eth_getTransactionReceipt", "[\"" + chain.block(30).transaction() + "\"]");
        chain.instead.put("eth_getBlockByNumber", chain.answer("eth_getBlockByNumber", "[\"0x1f\",false]"));
        assertNotKept("eth_getBlockByNumber", "[\"0x1e\",false]");
        chain.instead.put(
                "eth_getHeaderByHash", chain.answer("eth_getBlockByHash", "[\"" + other.hash() + "\",false]"));
        assertNotKept("eth_getHeaderByHash", "[\"" + chain.block(30).hash() + "\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Number", "Hash"})
    void aTransactionOfAnotherIndexIsNotKept(String selector) {
        weir = new CacheFixture(chain, chain::head, Verify.OFF, 1, "gather.enabled = off");
        String method = "eth_getTransactionByBlock" + selector + "AndIndex";
        String block = selector.equals("Hash") ? chain.block(30).hash() : "0x1e";
        String first = chain.answer(method, "[\"" + block + "\",\"0x0\"]");
        chain.instead.put(method, first);
        assertNotKept(method, "[\"" + block + "\",\"0x1\"]");
        chain.instead.put(method, first.replace("\"transactionIndex\":\"0x0\"", "\"transactionIndex\":null"));
        assertNotKept(method, "[\"" + block + "\",\"0x0\"]");
        chain.instead.put(method, first);
        assertKept(method, "[\"" + block + "\",\"0x0\"]");
    }

    @Test
    void ofSeveralUpstreamsTheWordOfOneIsNotEnoughForAnOldBlocksPlace() {
        weir = new CacheFixture(chain, chain::head, Verify.OFF, 2);
        assertNotKept("eth_getBlockByNumber", "[\"0x1e\",false]");
        assertNotKept("eth_getTransactionReceipt", "[\"" + chain.block(30).transaction() + "\"]");
        assertKept("eth_getBlockByHash", "[\"" + chain.block(30).hash() + "\",false]");
    }

    @Test
    void aBlockThatOneOfSeveralUpstreamsNamedIsNotFinalByThat() {
        weir = new CacheFixture(chain, chain::head, Verify.OFF, 2).amongOthers();
        String params = "[\"" + chain.block(100).transaction() + "\"]";
        assertKept("eth_getTransactionReceipt", params);
        CachedResult kept = weir.memory
                .store()
                .get(new CallKey(CacheFixture.NETWORK.name(), "eth_getTransactionReceipt", RawJson.of(params)));
        assertThat(becomesFinal(kept)).as("by one alone").isFalse();
        chain.upstream = "b";
        assertThat(becomesFinal(kept)).isTrue();
    }

    /** Whether a result is final once its block is deep enough, and the chain was looked at. */
    private boolean becomesFinal(CachedResult kept) {
        chain.mine(70);
        weir.changed();
        weir.nowNanos += TimeUnit.MINUTES.toNanos(1);
        weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
        weir.ask("eth_getTransactionReceipt", "[\"" + chain.block(100).transaction() + "\"]");
        return kept.lasting();
    }

    @Test
    void whatOnlyItsBlockProvesIsNotKeptWithoutThatProof() {
        // The whole block would be fetched for parts of it that are asked for again and again.
        assertNotKeptUnproven(
                "eth_getTransactionReceipt", "[\"" + chain.block(30).transaction() + "\"]");
        assertNotKeptUnproven("eth_getBlockReceipts", "[\"0x1e\"]");
        assertNotKeptUnproven("eth_getBlockTransactionCountByNumber", "[\"0x1e\"]");
    }

    private void assertNotKeptUnproven(String method, String params) {
        weir = new CacheFixture(chain, chain::head, Verify.BEFORE_CACHING, 1, "gather.enabled = off");
        assertNotKept(method, params);
    }

    @Test
    void theChainIsLearnedFromPassingBlocksOnlyIfNoneMustBeProven() {
        weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
        assertThat(weir.cache.chain().view().top()).isEqualTo(100);
        weir = new CacheFixture(chain, chain::head, Verify.BEFORE_CACHING, 1);
        weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
        assertThat(weir.cache.chain().view().top()).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pending", "safe", "finalized", "earliest"})
    void answersByATagAreNotKept(String tag) {
        chain.instead.put("eth_getBalance", "\"0x1\"");
        assertNotKept("eth_getBalance", "[" + ACCOUNT + ",\"" + tag + "\"]");
    }

    @Test
    void logsAreKeptOfFinalBlocksNamedByNumber() {
        chain.instead.put("eth_getLogs", "[]");
        assertKept("eth_getLogs", "[{\"fromBlock\":\"0x1\",\"toBlock\":\"0x1e\"}]");
        assertNotKept("eth_getLogs", "[{\"fromBlock\":\"0x1\",\"toBlock\":\"latest\"}]");
        assertNotKept("eth_getLogs", "[{\"fromBlock\":\"earliest\",\"toBlock\":\"0x1e\"}]");
    }

    @Test
    void anEstimateIsNeverKept() {
        chain.instead.put("eth_estimateGas", "\"0x5208\"");
        weir.ask("eth_estimateGas", "[{},\"0x1e\"]");
        weir.ask("eth_estimateGas", "[{},\"0x1e\"]");
        assertThat(weir.status()).isEqualTo("fwd=method");
    }

    @Test
    void aCallerWhoWantsItIsAnsweredPastTheCache() {
        assertKept("eth_getBlockByNumber", "[\"0x1e\",false]");
        chain.instead.put("eth_getBlockByNumber", "{}");
        assertThat(weir.ask("eth_getBlockByNumber", "[\"0x1e\",false]", CacheFixture.BYPASSING))
                .isEqualTo("{}");
        assertThat(weir.status()).isEqualTo("fwd=request");
    }

    @Test
    void aChainThatIsReplacedBelowWhatWasFinalTakesEverythingAlong() {
        assertKept("eth_getBlockByNumber", "[\"0x1e\",false]");
        weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
        chain.reorganise(90, 0);
        weir.changed();
        weir.nowNanos += TimeUnit.SECONDS.toNanos(20);
        weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
        assertThat(weir.ask("eth_getBlockByNumber", "[\"0x1e\",false]"))
                .contains(chain.block(30).hash());
    }

    @Test
    void aPurgeTakesAlsoWhatIsAskedMeanwhile() {
        long before = weir.memory.store().purges();
        weir.memory.store().purge(CacheFixture.NETWORK.name(), result -> true);
        assertThat(weir.memory.store().purges()).isNotEqualTo(before);
        assertKept("eth_getBlockByNumber", "[\"0x1e\",false]");
        weir.memory
                .store()
                .purge(CacheFixture.NETWORK.name(), result -> result.block().number() == 30);
        assertThat(weir.memory.store().entries()).isZero();
        assertThat(weir.memory.store().bytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"anvil_setBalance", "hardhat_setCode", "evm_revert"})
    void stateThatIsSetByHandIsSeenAtOnce(String method) {
        assertKept("eth_getBalance", "[" + ACCOUNT + ",\"0x1e\"]");
        chain.instead.put(method, "true");
        chain.instead.put("eth_getBalance", "\"0x5\"");
        assertThat(weir.ask(method, "[]")).isEqualTo("true");
        assertThat(weir.ask("eth_getBalance", "[" + ACCOUNT + ",\"0x1e\"]")).isEqualTo("\"0x5\"");
    }
}
