package io.weir.bench.load.chain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.verify.BlockProof;
import io.weir.verify.ChainFamily;
import io.weir.verify.ProvenBlock;
import io.weir.verify.ReceiptsProof;
import io.weir.verify.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchChainTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static BenchChain chain;
    private static Answers answers;

    @BeforeAll
    static void makeTheChain() {
        chain = new BenchChain();
        answers = new Answers(chain);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, BenchChain.LARGE, BenchChain.FULL_BLOCKS, BenchChain.FULL_BLOCKS + 1, BenchChain.HEAD})
    void aBlockAndItsReceiptsAreProvenByItsHash(int number) {
        JsonNode block = JSON.readTree(block(number));

        Verification<ProvenBlock> finding = BlockProof.block(block, null, ChainFamily.ETHEREUM);

        assertThat(finding).isInstanceOf(Verification.Proven.class);
        ProvenBlock proven = ((Verification.Proven<ProvenBlock>) finding).value();
        assertThat(proven.whole()).isTrue();
        List<String> receipts = new ArrayList<>();
        block.get("transactions")
                .forEach(transaction -> receipts.add(answer("eth_getTransactionReceipt", transaction.get("hash"))));
        assertThat(ReceiptsProof.check(JSON.readTree(receipts.toString()), proven, ChainFamily.ETHEREUM))
                .isInstanceOf(Verification.Proven.class);
    }

    @Test
    void blocksHangTogetherUpToTheHead() {
        for (int number = 1; number <= BenchChain.HEAD; number++) {
            BenchBlock block = Objects.requireNonNull(chain.block(number));
            assertThat(block.header().parentHash().hex()).isEqualTo(chain.blockHash(number - 1));
        }
        assertThat(chain.block(BenchChain.HEAD + 1)).isNull();
    }

    @Test
    void theBlocksHaveTheSizesThatTheWorkloadsAreNamedAfter() {
        assertThat(block(16).length()).isBetween(3_800, 4_600);
        assertThat(block(BenchChain.LARGE).length()).isBetween(165_000, 185_000);
    }

    @Test
    void aTransactionIsAnsweredAsItStandsInItsBlock() {
        JsonNode transaction = JSON.readTree(block(7)).get("transactions").get(1);

        assertThat(JSON.readTree(answer("eth_getTransactionByHash", transaction.get("hash"))))
                .isEqualTo(transaction);
    }

    @Test
    void stateDependsOnTheAccountAndNotOnHowItIsWritten() {
        String lower = result(new CallText("1", "eth_getBalance", List.of("\"0xab\"", "\"latest\"")));

        assertThat(result(new CallText("1", "eth_getBalance", List.of("\"0xAB\"", "\"0x10\""))))
                .isEqualTo(lower);
        assertThat(result(new CallText("1", "eth_getBalance", List.of("\"0xac\"", "\"latest\""))))
                .isNotEqualTo(lower);
    }

    @Test
    void theLargeListOfLogsHasTenMegabytesInTheOrderOfTheChain() {
        String logs = result(new CallText("1", "eth_getLogs", List.of("{" + Answers.LARGE_FILTER + "]}")));

        assertThat(logs.length()).isBetween(10_000_000, 11_000_000);
        List<Long> places = JSON.readTree(logs)
                .valueStream()
                .map(log -> (number(log.get("blockNumber")) << 32) + number(log.get("logIndex")))
                .toList();
        assertThat(places).isSorted().doesNotHaveDuplicates();
    }

    private static long number(JsonNode hex) {
        return Long.decode(hex.asString());
    }

    private static String block(int number) {
        return result(new CallText(
                "1", "eth_getBlockByNumber", List.of("\"0x" + Integer.toHexString(number) + "\"", "true")));
    }

    private static String answer(String method, JsonNode hash) {
        return result(new CallText("1", method, List.of(hash.toString())));
    }

    private static String result(CallText call) {
        return new String(Objects.requireNonNull(answers.result(call), call.method()), UTF_8);
    }
}
