package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.Finalities;
import io.weir.config.NetworkConfig.Verify;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainStage;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are under way while their block is replaced, and the block in its place becomes final. */
class FinalWhileAskedTest {

    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();
    private static final String ACCOUNT = "\"0x" + "11".repeat(20) + '"';

    private final TestChain chain = new TestChain(9, TRANSACTIONS, Memory.FORGETS);
    private final ChainStage node = new ChainStage(chain, new AlwaysOld());
    private final CacheFixture weir = new CacheFixture(node, chain::head, Verify.OFF, 1).amongOthers();

    /** Answers that are held back are those of the time when they were asked for. */
    private static final class AlwaysOld extends Random {

        private static final long serialVersionUID = 1;

        @Override
        public boolean nextBoolean() {
            return true;
        }
    }

    @BeforeEach
    void growTheChain() {
        chain.mine(119);
        chain.mineOf(3);
        chain.mine(30);
        chain.finalize(80);
        ask("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]");
    }

    @AfterEach
    void close() {
        weir.memory.close();
    }

    private ChainAnswer ask(String method, String params) {
        ChainAnswer answer = weir.start(method, params, 0).answer();
        weir.awaitVerified();
        return answer;
    }

    /** Replaces block 120 while the call is under way. */
    private void replaceDuring(String method, String params) {
        node.hold();
        CacheFixture.Asking asking = weir.start(method, params, 1);
        assertThat(asking.answer()).isNull();
        chain.fork(40, 10);
        chain.finalize(125);
        weir.nowNanos += TimeUnit.SECONDS.toNanos(11);
        node.releaseAll();
        weir.awaitVerified();
        assertThat(asking.answer()).as("it was asked before").isNotNull();
    }

    private void assertAnsweredAsByTheNode(String method, String params) {
        weir.changed();
        for (int i = 0; i < 3; i++) {
            assertThat(ask(method, params)).isEqualTo(ChainAnswers.answer(chain.state(), method, params));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_getBalance " + "[\"0x1111111111111111111111111111111111111111\",\"0x78\"]",
                "eth_getBlockByNumber [\"0x78\",true]",
                "eth_getBlockByNumber [\"0x78\",false]",
                "eth_getBlockReceipts [\"0x78\"]",
                "eth_getBlockTransactionCountByNumber [\"0x78\"]",
                "eth_getTransactionByBlockNumberAndIndex [\"0x78\",\"0x0\"]"
            })
    void anAnswerByHeightIsNotStoredForTheFinalBlock(String call) {
        String method = call.substring(0, call.indexOf(' '));
        String params = call.substring(method.length() + 1);
        replaceDuring(method, params);
        assertAnsweredAsByTheNode(method, params);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_getBalance " + "[\"0x1111111111111111111111111111111111111111\",\"0x78\"]",
                "eth_getBlockByNumber [\"0x78\",true]",
                "eth_getBlockReceipts [\"0x78\"]",
                "eth_getTransactionByBlockNumberAndIndex [\"0x78\",\"0x0\"]"
            })
    void anAnswerOfTheBlockThatWasKnownIsNotStoredForTheFinalBlock(String call) {
        String method = call.substring(0, call.indexOf(' '));
        String params = call.substring(method.length() + 1);
        ask("eth_getBlockByNumber", "[\"0x76\",false]");
        assertThat(weir.cache.chain().view().hash(120))
                .isEqualTo(chain.state().at(120).hash().toString());
        replaceDuring(method, params);
        assertAnsweredAsByTheNode(method, params);
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_getTransactionReceipt", "eth_getTransactionByHash"})
    void thePlaceOfATransactionIsNotStoredForGood(String method) {
        String params =
                "[\"" + chain.state().at(120).transactions().get(0).hash().hex() + "\"]";
        replaceDuring(method, params);
        assertAnsweredAsByTheNode(method, params);
    }

    @Test
    void stateOfABlockThatMustBeCanonicalIsNotStoredForGood() {
        ask("eth_getBlockByNumber", "[\"0x78\",true]");
        String params =
                "[" + ACCOUNT + ",{\"blockHash\":\"" + chain.state().at(120).hash() + "\",\"requireCanonical\":true}]";
        replaceDuring("eth_getBalance", params);
        assertAnsweredAsByTheNode("eth_getBalance", params);
    }

    @Test
    void anAnswerThatWasUnderWayForLongIsStoredIfItsBlockWasFinalBefore() {
        String params = "[" + ACCOUNT + ",\"0x40\"]";
        node.hold();
        CacheFixture.Asking asking = weir.start("eth_getBalance", params, 1);
        for (long number = 90; number <= 120; number += 10) {
            Finalities.raise(weir.cache.chain().finalized(), number);
        }
        node.releaseAll();
        weir.awaitVerified();
        int before = node.calls();
        assertThat(ask("eth_getBalance", params)).isEqualTo(asking.answer());
        assertThat(node.calls()).isEqualTo(before);
    }

    @Test
    void anAnswerThatWasAskedForAfterItsBlockWasFinalIsStoredAtOnce() {
        String params = "[" + ACCOUNT + ",\"0x40\"]";
        ChainAnswer answer = ask("eth_getBalance", params);
        int before = node.calls();
        assertThat(ask("eth_getBalance", params)).isEqualTo(answer);
        assertThat(node.calls()).isEqualTo(before);
    }
}
