package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Verify;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainStage;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds once a reorganisation was seen. */
class SeenReorganisationTest {

    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();

    private final TestChain chain = new TestChain(9, TRANSACTIONS, Memory.FORGETS);
    private final ChainStage node = new ChainStage(chain, new AlwaysOld());
    private final CacheFixture weir = new CacheFixture(node, chain::head, Verify.OFF, 1);

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
        chain.mine(150);
        chain.mineOf(3);
        chain.finalize(80);
    }

    private String head() {
        return "\"0x" + Long.toHexString(chain.head()) + '"';
    }

    private ChainAnswer ask(String method, String params) {
        return weir.start(method, params, 0).answer();
    }

    private void assertAnsweredAsByTheNode(String method, String params) {
        assertThat(ask(method, params)).isEqualTo(ChainAnswers.answer(chain.state(), method, params));
    }

    @Test
    void nobodyJoinsACallThatIsUnderWaySinceBefore() {
        ask("eth_getBlockByNumber", "[" + head() + ",true]");
        node.hold();
        CacheFixture.Asking before = weir.start("eth_getBlockReceipts", "[" + head() + "]", 0);
        ChainAnswer old = ChainAnswers.answer(chain.state(), "eth_getBlockReceipts", "[" + head() + "]");
        chain.fork(1, 0);
        weir.nowNanos += TimeUnit.SECONDS.toNanos(2);
        CacheFixture.Asking block = weir.start("eth_getBlockByNumber", "[" + head() + ",true]", 1);
        while (block.answer() == null) {
            node.release(1);
        }
        assertThat(block.answer())
                .as("the reorganisation is seen")
                .isEqualTo(ChainAnswers.answer(chain.state(), "eth_getBlockByNumber", "[" + head() + ",true]"));
        CacheFixture.Asking after = weir.start("eth_getBlockReceipts", "[" + head() + "]", 2);
        node.releaseAll();
        assertThat(before.answer()).as("it was asked before").isEqualTo(old);
        assertThat(after.answer())
                .isEqualTo(ChainAnswers.answer(chain.state(), "eth_getBlockReceipts", "[" + head() + "]"));
    }

    @Test
    void aBlockBelowTheHeadThatAClientGetsShowsThatTheChainHasChanged() {
        ask("eth_getBlockByNumber", "[" + head() + ",true]");
        String below = "\"0x" + Long.toHexString(chain.head() - 1) + '"';
        ask("eth_getBlockReceipts", "[" + below + "]");
        int calls = node.calls();
        ask("eth_getBlockReceipts", "[" + below + "]");
        assertThat(node.calls()).as("they are stored").isEqualTo(calls);
        chain.fork(2, 0);
        assertAnsweredAsByTheNode("eth_getBlockByNumber", "[" + below + ",true]");
        assertAnsweredAsByTheNode("eth_getBlockReceipts", "[" + below + "]");
    }

    @Test
    void whatIsFinalStaysAlsoWhereTheChainWasNotFollowedThatFarDown() {
        String params = "[\"0x40\",true]";
        ChainAnswer answer = ask("eth_getBlockByNumber", params);
        ask("eth_getBlockByNumber", "[" + head() + ",true]");
        chain.fork(20, 1);
        weir.changed();
        assertAnsweredAsByTheNode("eth_getBlockByNumber", "[" + head() + ",true]");
        assertThat(weir.cache.chain().view().size())
                .as("blocks that are followed")
                .isLessThan(50);
        int before = node.calls();
        assertThat(ask("eth_getBlockByNumber", params)).isEqualTo(answer);
        assertThat(node.calls()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {65, 79, 80, 81, 120, 255, 256, 257, 300})
    void oneThatIsDeeperThanCanBeFollowedIsSeenToo(int depth) {
        chain.mine(300);
        for (int back = 0; back < depth + 5; back += 7) {
            String number = "\"0x" + Long.toHexString(chain.head() - back) + '"';
            ask("eth_getBlockByNumber", "[" + number + ",true]");
            ask("eth_getBlockReceipts", "[" + number + "]");
        }
        String dropped = chain.state().at(chain.head() - depth + 1).hash();
        ask("eth_getBlockByHash", "[\"" + dropped + "\",true]");
        chain.fork(depth, 1);
        weir.changed();
        assertThat(ask("eth_getBlockByHash", "[\"" + dropped + "\",true]")).isEqualTo(ChainAnswer.result("null"));
        for (int back = 0; back < depth + 5; back++) {
            String number = "\"0x" + Long.toHexString(chain.head() - back) + '"';
            assertAnsweredAsByTheNode("eth_getBlockByNumber", "[" + number + ",true]");
            assertAnsweredAsByTheNode("eth_getBlockReceipts", "[" + number + "]");
        }
    }
}
