package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.Caller;
import io.weir.pipeline.cache.ForkingChain.Block;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fees at the head, histories of fees, and traces of final blocks. */
class CostlyRepeatsTest {

    private final ForkingChain chain = new ForkingChain(2);
    private final CacheFixture weir = new CacheFixture(chain, chain::head);

    @BeforeEach
    void growTheChain() {
        chain.mine(100);
        for (String method : new String[] {
            "eth_gasPrice",
            "eth_maxPriorityFeePerGas",
            "eth_blobBaseFee",
            "eth_feeHistory",
            "debug_traceBlockByHash",
            "debug_traceBlockByNumber",
            "debug_traceTransaction",
            "trace_block",
            "trace_replayBlockTransactions",
            "trace_replayTransaction",
            "trace_transaction"
        }) {
            chain.instead.put(method, "{\"of\":\"" + method + "\"}");
        }
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

    @ParameterizedTest
    @ValueSource(strings = {"eth_gasPrice", "eth_maxPriorityFeePerGas", "eth_blobBaseFee"})
    void aFeeIsServedWhileItsBlockIsTheHead(String method) {
        weir.ask(method, "[]");
        chain.instead.put(method, "\"0x1\"");
        assertKept(method, "[]");
        assertThat(weir.ask(method, "[]", CacheFixture.BYPASSING)).isEqualTo("\"0x1\"");

        chain.instead.put(method, "\"0x2\"");
        assertThat(weir.ask(method, "[]")).as("at the same head").isEqualTo("\"0x1\"");
        chain.mine(1);
        weir.changed();
        assertThat(weir.ask(method, "[]")).as("at the next one").isEqualTo("\"0x2\"");

        chain.instead.put(method, "\"0x3\"");
        weir.ask(method, "[]");
        chain.reorganise(1, 0);
        weir.changed();
        assertThat(weir.ask(method, "[]")).as("another block is the head").isEqualTo("\"0x3\"");
    }

    @Test
    void aFeeOfANodeThatHasNotNamedTheHeadIsNotKept() {
        weir.ask("eth_gasPrice", "[]");
        chain.upstream = "b";
        assertNotKept("eth_gasPrice", "[]");
    }

    @Test
    void theHistoryOfFeesIsAFactOfItsNewestBlock() {
        weir.ask("eth_feeHistory", "[\"0x5\",\"latest\",[1]]");
        assertKept("eth_feeHistory", "[\"0x5\",\"latest\",[1]]");
        assertKept("eth_feeHistory", "[\"0x5\",\"0x1e\",[1]]");
        assertNotKept("eth_feeHistory", "[\"0x5\",\"pending\",[1]]");
        chain.reorganise(1, 0);
        weir.changed();
        int before = chain.asked.size();
        weir.ask("eth_feeHistory", "[\"0x5\",\"latest\",[1]]");
        weir.ask("eth_feeHistory", "[\"0x5\",\"0x1e\",[1]]");
        assertThat(chain.asked.subList(before, chain.asked.size()).stream().filter(call -> call.startsWith("eth_fee")))
                .containsExactly("eth_feeHistory[\"0x5\",\"0x64\",[1]]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "debug_traceBlockByNumber | [\"%s\",{\"tracer\":\"callTracer\"}]",
                "trace_block | [\"%s\"]",
                "trace_replayBlockTransactions | [\"%s\",[\"trace\"]]"
            })
    void aTraceOfAFinalBlockIsKeptWithItsOptions(String method, String params) {
        assertKept(method, params.formatted("0x1e"));
        assertNotKept(method, params.formatted("0x64"));
        assertNotKept(method, params.formatted("latest"));
        int before = chain.asked.size();
        weir.ask(method, params.formatted("0x1e").replaceAll("^\\[(\"0x1e\").*", "[$1,{\"other\":1}]"));
        assertThat(chain.asked).as("other options").hasSizeGreaterThan(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"debug_traceBlockByHash", "trace_block"})
    void aTraceByHashIsKeptIfItsBlockIsKnownToBeFinal(String method) {
        Block block = chain.block(30);
        String params = "[\"" + block.hash() + "\"]";
        assertNotKept(method, params);
        weir.ask("eth_getBlockByNumber", "[\"0x1e\",true]");
        assertKept(method, params);
        String recent = "[\"" + chain.block(99).hash() + "\"]";
        weir.ask("eth_getBlockByNumber", "[\"0x63\",true]");
        assertNotKept(method, recent);
    }

    @ParameterizedTest
    @CsvSource({
        "debug_traceTransaction, eth_getTransactionReceipt",
        "trace_transaction, eth_getTransactionByHash",
        "trace_replayTransaction, eth_getBlockByNumber"
    })
    void aTraceOfATransactionIsKeptIfItsBlockIsKnownToBeFinal(String method, String lookup) {
        Block block = chain.block(30);
        String params = "[\"" + block.transaction() + "\"]";
        assertNotKept(method, params);
        weir.ask(lookup, lookup.equals("eth_getBlockByNumber") ? "[\"0x1e\",true]" : params);
        assertKept(method, params);
        String recent = "[\"" + chain.block(99).transaction() + "\"]";
        weir.ask("eth_getTransactionReceipt", recent);
        assertNotKept(method, recent);
    }

    @Test
    void nullIsNeverATrace() {
        chain.instead.put("trace_block", "null");
        assertNotKept("trace_block", "[\"0x1e\"]");
        assertThat(weir.ask("trace_block", "[\"0x1e\"]", Caller.PROXY)).isEqualTo("null");
    }
}
