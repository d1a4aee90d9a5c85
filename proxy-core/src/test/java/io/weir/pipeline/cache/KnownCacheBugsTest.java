package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.pipeline.cache.ForkingChain.Block;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What other caches got wrong, each as a test. */
class KnownCacheBugsTest {

    private static final String ACCOUNT = "\"0x" + "0".repeat(40) + "\"";

    private final ForkingChain chain = new ForkingChain(1);
    private final CacheFixture weir = new CacheFixture(chain, chain::head);

    @BeforeEach
    void growTheChain() {
        chain.mine(100);
        chain.finalDepth = 20;
        // The chain is watched from here on.
        weir.ask("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]");
        weir.ask("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]");
    }

    private String ask(String method, String params) {
        return weir.ask(method, params);
    }

    private static String quoted(String text) {
        return "[\"" + text + "\"]";
    }

    @Test
    void aNullReceiptIsNeverCached() {
        Block block = chain.block(30);
        chain.instead.put("eth_getTransactionReceipt", "null");
        assertThat(ask("eth_getTransactionReceipt", quoted(block.transaction())))
                .isEqualTo("null");
        chain.instead.clear();
        assertThat(ask("eth_getTransactionReceipt", quoted(block.transaction())))
                .contains(block.hash());
    }

    @Test
    void theReceiptOfACreationWhoseReceiverIsNullIsCached() {
        Block block = chain.block(30);
        ask("eth_getTransactionReceipt", quoted(block.transaction()));
        assertThat(ask("eth_getTransactionReceipt", quoted(block.transaction())))
                .contains("\"to\":null");
        assertThat(weir.status()).startsWith("hit");
    }

    @Test
    void anEmptyListOfReceiptsIsNeverCached() {
        chain.instead.put("eth_getBlockReceipts", "[]");
        assertThat(ask("eth_getBlockReceipts", "[\"0x1e\"]")).isEqualTo("[]");
        chain.instead.clear();
        assertThat(ask("eth_getBlockReceipts", "[\"0x1e\"]"))
                .contains(chain.block(30).hash());
    }

    @Test
    void aReceiptThatNamesABlockWhichIsNotCanonicalIsNeverCached() {
        Block old = chain.block(100);
        String receipt = chain.answer("eth_getTransactionReceipt", quoted(old.transaction()));
        chain.reorganise(1, 0);
        weir.changed();
        chain.instead.put("eth_getTransactionReceipt", receipt);
        assertThat(ask("eth_getTransactionReceipt", quoted(old.transaction()))).isEqualTo(receipt);
        chain.instead.clear();
        assertThat(ask("eth_getTransactionReceipt", quoted(old.transaction()))).isEqualTo("null");
    }

    @Test
    void whatRequiresACanonicalBlockIsNotAnsweredFromTheCacheAfterAReorganisation() {
        String params =
                "[" + ACCOUNT + ",{\"blockHash\":\"" + chain.block(100).hash() + "\",\"requireCanonical\":true}]";
        String before = ask("eth_getBalance", params);
        assertThat(before).isNotEqualTo("null");
        assertThat(ask("eth_getBalance", params)).isEqualTo(before);
        assertThat(weir.status()).as("it is not final").isEqualTo("fwd=uri-miss");
        chain.reorganise(1, 1);
        weir.changed();
        assertThat(ask("eth_getBalance", params)).isEqualTo("null");
    }

    @Test
    void anAnswerByNumberDoesNotSurviveAReorganisation() {
        String before = ask("eth_getBlockByNumber", "[\"0x64\",false]");
        assertThat(ask("eth_getBlockByNumber", "[\"0x64\",false]")).isEqualTo(before);
        assertThat(weir.status()).startsWith("hit");
        chain.reorganise(2, 0);
        weir.changed();
        assertThat(ask("eth_getBlockByNumber", "[\"0x64\",false]"))
                .isNotEqualTo(before)
                .contains(chain.block(100).hash());
    }

    @Test
    void zeroIsAValueThatIsCached() {
        String params = "[" + ACCOUNT + ",\"0x0\",\"0x1e\"]";
        assertThat(ask("eth_getStorageAt", params)).isEqualTo("\"0x" + "0".repeat(64) + "\"");
        assertThat(ask("eth_getStorageAt", params)).isEqualTo("\"0x" + "0".repeat(64) + "\"");
        assertThat(weir.status()).startsWith("hit");
    }

    @Test
    void anEmptyAccountIsAValueThatIsCached() {
        for (String method : new String[] {"eth_getBalance", "eth_getCode", "eth_getTransactionCount", "eth_call"}) {
            String params = method.equals("eth_call") ? "[{},\"0x1e\"]" : "[" + ACCOUNT + ",\"0x1e\"]";
            String nothing = method.equals("eth_getCode") || method.equals("eth_call") ? "\"0x\"" : "\"0x0\"";
            chain.instead.put(method, nothing);
            assertThat(ask(method, params)).isEqualTo(nothing);
            assertThat(ask(method, params)).isEqualTo(nothing);
            assertThat(weir.status()).as(method).isEqualTo("hit");
        }
    }

    @Test
    void aBlockThatWasNotThereYetIsFoundOnceItIsMined() {
        assertThat(ask("eth_getBlockByNumber", "[\"0x65\",false]")).isEqualTo("null");
        assertThat(ask("eth_getBlockReceipts", "[\"0x65\"]")).isEqualTo("null");
        chain.mine(1);
        assertThat(ask("eth_getBlockByNumber", "[\"0x65\",false]"))
                .contains(chain.block(101).hash());
        assertThat(ask("eth_getBlockReceipts", "[\"0x65\"]"))
                .contains(chain.block(101).hash());
    }

    @Test
    void aTransactionThatANodeNowAndThenDoesNotFindIsAnsweredOnceItIsKnown() {
        String hash = chain.block(30).transaction();
        String found = ask("eth_getTransactionByHash", quoted(hash));
        assertThat(found).contains(chain.block(30).hash());
        chain.instead.put("eth_getTransactionByHash", "null");
        assertThat(ask("eth_getTransactionByHash", quoted(hash))).isEqualTo(found);
        assertThat(weir.status()).isEqualTo("hit");
    }

    @Test
    void aReceiptThatIsThereLaterThanItsTransactionIsFoundThen() {
        String hash = chain.block(100).transaction();
        assertThat(ask("eth_getTransactionByHash", quoted(hash)))
                .contains(chain.block(100).hash());
        chain.instead.put("eth_getTransactionReceipt", "null");
        assertThat(ask("eth_getTransactionReceipt", quoted(hash))).isEqualTo("null");
        chain.instead.clear();
        assertThat(ask("eth_getTransactionReceipt", quoted(hash)))
                .contains(chain.block(100).hash());
    }

    @Test
    void theSafeBlockIsNotKeptUnderTheNameThatItOnceHad() {
        String before = ask("eth_getBlockByNumber", "[\"safe\",false]");
        chain.mine(3);
        assertThat(ask("eth_getBlockByNumber", "[\"safe\",false]"))
                .isNotEqualTo(before)
                .contains(chain.block(83).hash());
    }

    @Test
    void aTransactionThatWasUnknownOrPendingIsFoundOnceItIsMined() {
        String hash = chain.block(100).transaction();
        chain.instead.put("eth_getTransactionByHash", "null");
        assertThat(ask("eth_getTransactionByHash", quoted(hash))).isEqualTo("null");
        String pending =
                "{\"hash\":\"" + hash + "\",\"blockNumber\":null,\"blockHash\":null,\"transactionIndex\":null}";
        chain.instead.put("eth_getTransactionByHash", pending);
        assertThat(ask("eth_getTransactionByHash", quoted(hash))).isEqualTo(pending);
        chain.instead.clear();
        assertThat(ask("eth_getTransactionByHash", quoted(hash)))
                .contains(chain.block(100).hash());
    }

    @Test
    void aTransactionThatIsMinedAgainElsewhereIsFoundThere() {
        String hash = chain.block(99).transaction();
        ask("eth_getTransactionReceipt", quoted(hash));
        chain.reorganise(2, 1);
        weir.changed();
        assertThat(ask("eth_getTransactionReceipt", quoted(hash)))
                .isEqualTo(chain.answer("eth_getTransactionReceipt", quoted(hash)))
                .contains(chain.block(100).hash());
    }
}
