package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Verify;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.testing.PrintedTable;
import io.weir.verify.ChainVectors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the answers of each method are said to be, with two honest nodes. The table in ARCHITECTURE.md lists it. */
class VerifiedTableTest {

    private final VectorChain chain = new VectorChain(new ChainVectors());
    private final Entry entry =
            chain.first(one -> one.block().get("transactions").size() > 1
                    && one.uncles().isEmpty()
                    && one.receipts()
                            .valueStream()
                            .anyMatch(receipt -> !receipt.get("logs").isEmpty()));

    private record Question(String row, String method, String params) {}

    private List<Question> questions() {
        String hash = '"' + entry.hash() + '"';
        String number = '"' + entry.number() + '"';
        String transaction = "[" + entry.block().get("transactions").get(1).get("hash") + "]";
        return List.of(
                of("eth_getBlockByHash", "[" + hash + ",true]"),
                of("eth_getBlockByNumber", "[" + number + ",true]"),
                of("eth_getHeaderByHash", "[" + hash + "]"),
                of("eth_getBlockTransactionCountByHash", "[" + hash + "]"),
                of("eth_getBlockTransactionCountByNumber", "[" + number + "]"),
                of("eth_getUncleCountByBlockNumber", "[" + number + "]"),
                of("eth_getTransactionByHash", transaction),
                of("eth_getTransactionByBlockHashAndIndex", "[" + hash + ",\"0x1\"]"),
                of("eth_getTransactionByBlockNumberAndIndex", "[" + number + ",\"0x1\"]"),
                of("eth_getTransactionReceipt", transaction),
                of("eth_getBlockReceipts", "[" + hash + "]"),
                new Question("`eth_getBlockReceipts` by number", "eth_getBlockReceipts", "[" + number + "]"),
                new Question("`eth_getLogs` by hash", "eth_getLogs", "[{\"blockHash\":" + hash + "}]"),
                new Question(
                        "`eth_getLogs` by number",
                        "eth_getLogs",
                        "[{\"fromBlock\":" + number + ",\"toBlock\":" + number + "}]"));
    }

    private static Question of(String method, String params) {
        return new Question('`' + method + '`', method, params);
    }

    /** Returns what a node's answer is said to be, and the answer from memory to the same call after it. */
    private String cells(Question question) {
        try (ServingFixture weir = new ServingFixture(Verify.BEFORE_SERVING)) {
            ServingFixture.serve(weir.pool.a, chain);
            ServingFixture.serve(weir.pool.b, chain);
            Answer first = weir.ask(question.method(), question.params());
            weir.settle();
            Answer again = weir.ask(question.method(), question.params());
            assertThat(again.cache()).as(question.row()).startsWith("hit");
            return cell(first) + " | " + cell(again);
        }
    }

    private static String cell(Answer answer) {
        return answer.verified().isEmpty() ? "–" : answer.verified();
    }

    @Test
    void theTableOfWhatTheHeaderNamesIsTrue() throws IOException {
        List<String> rows = new ArrayList<>(
                List.of("| answer to | from a node, with `before-serving` | from memory |", "|---|---|---|"));
        questions().forEach(question -> rows.add("| " + question.row() + " | " + cells(question) + " |"));
        new PrintedTable("verified").assertPrinted(rows);
    }
}
