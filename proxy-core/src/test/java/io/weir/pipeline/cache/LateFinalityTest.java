package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.TestCaller;
import io.weir.chain.ChainView;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A chain as those of layer-2 networks: a block is final thousands of blocks later. */
class LateFinalityTest {

    private static final int BEHIND = 2_500;
    private static final String ACCOUNT = "\"0x" + "11".repeat(20) + '"';

    private final ForkingChain chain = new ForkingChain(9);
    private CacheFixture weir;

    LateFinalityTest() {
        chain.finalDepth = BEHIND;
        chain.mine(6_000);
        restart();
    }

    private void restart() {
        if (weir != null) {
            weir.memory.close();
        }
        weir = new CacheFixture(chain, chain::head).amongOthers();
    }

    @AfterEach
    void close() {
        weir.memory.close();
    }

    private static String hex(long number) {
        return "\"0x" + Long.toHexString(number) + '"';
    }

    private void pass(int seconds) {
        weir.nowNanos += TimeUnit.SECONDS.toNanos(seconds);
        weir.changed();
    }

    private void askHead() {
        weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
    }

    private void assertHit(String method, String params) {
        int before = chain.asked.size();
        weir.ask(method, params, TestCaller.CLIENT);
        assertThat(weir.status()).as(method + params).startsWith("hit");
        assertThat(chain.asked).as(method + params).hasSize(before);
    }

    private void assertSecondIsHit(String method, String params) {
        weir.ask(method, params, TestCaller.CLIENT);
        assertHit(method, params);
    }

    private void assertAllAreHitsOnTheSecondAsk() {
        for (long back = 1; back < BEHIND; back += 31) {
            assertSecondIsHit("eth_getBlockByNumber", "[" + hex(chain.head() - back) + ",true]");
        }
    }

    @Test
    void blocksBetweenTheFinalOneAndTheHeadAreHitsOnTheSecondAsk() {
        askHead();
        assertAllAreHitsOnTheSecondAsk();
        assertThat(weir.cache.chain().finalized().number()).isEqualTo(chain.head() - BEHIND);
    }

    @Test
    void theFirstBlockAskedForMayBeTheOneAboveTheFinalOne() {
        assertSecondIsHit("eth_getBlockByNumber", "[" + hex(chain.head() - BEHIND + 1) + ",true]");
        assertSecondIsHit("eth_getBlockReceipts", "[" + hex(chain.head() - 1_000) + "]");
        String transaction = chain.block(chain.head() - 2_000).transaction();
        assertSecondIsHit("eth_getTransactionReceipt", "[\"" + transaction + "\"]");
    }

    @Test
    void stateInAGapIsKeptOnceItsBlockIsKnown() {
        askHead();
        String params = "[" + ACCOUNT + "," + hex(chain.head() - 700) + "]";
        weir.ask("eth_getBalance", params);
        assertSecondIsHit("eth_getBalance", params);
    }

    /** Blocks of 0.25 s, and of 2 s. */
    @ParameterizedTest
    @ValueSource(ints = {240, 30})
    void aMinuteWithoutCallsLosesNothing(int mined) {
        askHead();
        assertAllAreHitsOnTheSecondAsk();
        long head = chain.head();
        chain.mine(mined);
        pass(60);
        askHead();
        for (long back = 1; back < BEHIND - mined; back += 31) {
            assertHit("eth_getBlockByNumber", "[" + hex(head - back) + ",true]");
        }
        assertAllAreHitsOnTheSecondAsk();
    }

    @ParameterizedTest
    @ValueSource(ints = {240, 30})
    void afterARestartBlocksAreHitsOnTheSecondAskToo(int mined) {
        askHead();
        chain.mine(mined);
        restart();
        assertAllAreHitsOnTheSecondAsk();
    }

    @Test
    void aGapIsNotFilledBeforeAResultDependsOnIt() {
        askHead();
        chain.mine(2_000);
        pass(600);
        int before = chain.asked.size();
        askHead();
        askHead();
        assertThat(chain.asked.size() - before).isLessThan(6);
    }

    @Test
    void aReorganisationOfOneBlockBesideAYoungViewRemovesOnlyWhatItReplaces() {
        restart();
        askHead();
        for (int i = 0; i < 200; i++) {
            // Such results name no block, so none of them shows whether a final block was replaced.
            weir.ask("eth_getBalance", "[" + ACCOUNT + "," + hex(1_000 + i) + "]");
        }
        String head = "[" + hex(chain.head()) + ",true]";
        String replaced = weir.ask("eth_getBlockByNumber", head);
        assertThat(weir.cache.chain().view().size()).as("known blocks").isOne();
        chain.reorganise(1, 0);
        pass(2);
        assertThat(weir.ask("eth_getBlockByNumber", head)).isNotEqualTo(replaced);
        for (int i = 0; i < 200; i++) {
            assertHit("eth_getBalance", "[" + ACCOUNT + "," + hex(1_000 + i) + "]");
        }
    }

    @Test
    void aReorganisationAboveAGapRemovesNothingBelowIt() {
        askHead();
        for (long back = 3; back < 200; back++) {
            assertSecondIsHit("eth_getBlockByNumber", "[" + hex(chain.head() - back) + ",true]");
        }
        long old = chain.head();
        chain.mine(500);
        pass(125);
        askHead();
        chain.reorganise(3, 1);
        pass(2);
        askHead();
        weir.awaitVerified();
        for (long back = 3; back < 200; back++) {
            assertHit("eth_getBlockByNumber", "[" + hex(old - back) + ",true]");
        }
        assertThat(weir.ask("eth_getBlockByNumber", "[" + hex(chain.head() - 1) + ",true]"))
                .contains(chain.block(chain.head() - 1).hash());
    }

    @Test
    void aReorganisationAboveAGapThatHoldsTheFinalBlockKeepsFinalResults() {
        askHead();
        assertSecondIsHit("eth_getBalance", "[" + ACCOUNT + "," + hex(1_000) + "]");
        chain.mine(3_000);
        for (int i = 0; i < 3; i++) {
            pass(11);
            askHead();
        }
        assertThat(weir.cache.chain().view().hash(weir.cache.chain().finalized().number()))
                .as("the final block is in the gap")
                .isNull();
        chain.reorganise(3, 1);
        pass(2);
        askHead();
        weir.awaitVerified();
        assertHit("eth_getBalance", "[" + ACCOUNT + "," + hex(1_000) + "]");
    }

    @Test
    void aResultOfAReplacedBlockThatLeftTheViewIsNotServed() {
        followWithBound(2_500);
        String params = "[" + ACCOUNT + "," + hex(6_000) + "]";
        weir.ask("eth_getBalance", params);
        assertSecondIsHit("eth_getBalance", params);
        follow(600);
        chain.reorganise(700, 1);
        pass(2);
        askHead();
        assertThat(weir.ask("eth_getBalance", params))
                .contains(chain.block(6_000).hash().substring(2, 34));
    }

    @Test
    void resultsOfFinalBlocksThatLeaveTheViewStay() {
        followWithBound(50);
        List<String> asked =
                List.of("[" + hex(6_000) + ",true]", "[" + hex(5_999) + ",true]", "[" + hex(5_990) + ",true]");
        asked.forEach(params -> assertSecondIsHit("eth_getBlockByNumber", params));
        weir.ask("eth_getBalance", "[" + ACCOUNT + "," + hex(6_000) + "]");
        follow(600);
        assertThat(weir.cache.chain().view().hash(6_000)).isNull();
        asked.forEach(params -> assertHit("eth_getBlockByNumber", params));
        assertHit("eth_getBalance", "[" + ACCOUNT + "," + hex(6_000) + "]");
    }

    @Test
    void resultsOfOtherBlocksThatLeaveTheViewAreNeitherServedNorDropped() {
        followWithBound(2_500);
        String params = "[" + hex(6_000) + ",true]";
        assertSecondIsHit("eth_getBlockByNumber", params);
        follow(600);
        long before = weir.memory.store().entries();
        weir.ask("eth_getBlockByNumber", params);
        assertThat(weir.status()).isEqualTo("fwd=uri-miss");
        assertThat(weir.memory.store().entries()).isGreaterThanOrEqualTo(before);
    }

    private void followWithBound(long behind) {
        weir.memory.close();
        chain.finalDepth = behind;
        weir = new CacheFixture(chain, chain::head, new ChainView(128)).amongOthers();
        askHead();
    }

    private void follow(int count) {
        for (int i = 0; i < count; i += 10) {
            chain.mine(10);
            pass(11);
            askHead();
            weir.awaitVerified();
        }
    }
}
