package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.pipeline.cache.ForkingChain.Block;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that requires its block to be canonical is answered by a node for as long as the block may be dropped. */
class RequiredCanonicalTest {

    private static final String ACCOUNT = "\"0x" + "0".repeat(40) + "\",";

    private final ForkingChain chain = new ForkingChain(3);
    private final CacheFixture weir = new CacheFixture(chain, chain::head);

    @BeforeEach
    void growTheChain() {
        chain.mine(100);
    }

    @AfterEach
    void close() {
        weir.memory.close();
    }

    private static String params(String method, Block block, boolean required) {
        return "[" + (method.equals("eth_getBlockReceipts") ? "" : ACCOUNT) + "{\"blockHash\":\"" + block.hash()
                + "\",\"requireCanonical\":" + required + "}]";
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_getBlockReceipts", "eth_getBalance"})
    void anAnswerAboutARecentBlockIsNotKept(String method) {
        weir.ask("eth_getBlockByNumber", "[\"latest\",true]");
        long kept = weir.memory.store().entries();
        for (int i = 0; i < 3; i++) {
            weir.ask(method, params(method, chain.block(100), true));
            assertThat(weir.status()).isEqualTo("fwd=uri-miss");
        }
        assertThat(weir.memory.store().entries()).isEqualTo(kept);
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_getBlockReceipts", "eth_getBalance"})
    void whatIsKeptForAnyBlockOfThatHashDoesNotAnswerIt(String method) {
        Block block = chain.block(100);
        weir.ask("eth_getBlockByNumber", "[\"latest\",true]");
        weir.ask(method, params(method, block, false));
        weir.ask(method, params(method, block, false));
        assertThat(weir.status()).as("without the condition").startsWith("hit");

        weir.ask(method, params(method, block, true));
        assertThat(weir.status()).isEqualTo("fwd=uri-miss");
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_getBlockReceipts", "eth_getBalance"})
    void aBlockThatWasDroppedUnseenIsNotAnsweredFor(String method) {
        String params = params(method, chain.block(100), true);
        weir.ask("eth_getBlockByNumber", "[\"latest\",true]");
        weir.ask(method, params);
        chain.reorganise(1, 0);

        // Nobody has told the proxy: its view still has the block that was dropped.
        assertThat(weir.ask(method, params)).isEqualTo("null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_getBlockReceipts"})
    void anAnswerAboutAFinalBlockIsKept(String method) {
        String params = params(method, chain.block(30), true);
        weir.ask("eth_getBlockByNumber", "[\"0x1e\",true]");
        String first = weir.ask(method, params);

        assertThat(weir.ask(method, params)).isEqualTo(first);
        assertThat(weir.status()).startsWith("hit");
    }
}
