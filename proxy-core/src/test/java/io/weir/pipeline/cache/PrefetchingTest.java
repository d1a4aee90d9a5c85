package io.weir.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.Caller;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.Stage;
import io.weir.pipeline.cache.ForkingChain.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** When a block is fetched whole, and who waits for it. */
class PrefetchingTest {

    private static final String DERIVED = "hit; detail=derived";

    private final ForkingChain chain = new ForkingChain(5);
    private CacheFixture weir = new CacheFixture(chain, chain::head);

    @BeforeEach
    void growTheChain() {
        chain.mine(100);
    }

    /** What the node was asked, but for what the proxy asks to follow the chain. */
    private List<String> calls() {
        return chain.asked.stream().filter(call -> !call.endsWith(",false]")).toList();
    }

    @Test
    void lookupsNoTwoOfWhichShareABlockCostOneCallEach() {
        List<String> expected = new ArrayList<>();
        for (int number = 1; number < 97; number++) {
            Block block = chain.block(number);
            String hash = "[\"" + block.hash() + "\"";
            String hex = "[\"0x" + Integer.toHexString(number) + "\"";
            String[] call = switch (number % 8) {
                case 0 -> new String[] {"eth_getTransactionByHash", "[\"" + block.transaction() + "\"]"};
                case 1 -> new String[] {"eth_getTransactionReceipt", "[\"" + block.transaction() + "\"]"};
                case 2 -> new String[] {"eth_getTransactionByBlockHashAndIndex", hash + ",\"0x0\"]"};
                case 3 -> new String[] {"eth_getTransactionByBlockNumberAndIndex", hex + ",\"0x0\"]"};
                case 4 -> new String[] {"eth_getBlockByHash", hash + ",true]"};
                case 5 -> new String[] {"eth_getBlockReceipts", hex + "]"};
                case 6 -> new String[] {"eth_getBlockTransactionCountByNumber", hex + "]"};
                default -> new String[] {"eth_getLogs", "[{\"blockHash\":\"" + block.hash() + "\"}]"};
            };
            weir.ask(call[0], call[1]);
            expected.add(call[0] + call[1]);
        }
        assertThat(calls()).isEqualTo(expected);
    }

    @Test
    void aSecondLookupIntoABlockHasItFetchedWhole() {
        String hash = chain.block(20).hash();
        weir.ask("eth_getTransactionByBlockHashAndIndex", "[\"" + hash + "\",\"0x0\"]");
        assertThat(weir.ask("eth_getBlockTransactionCountByHash", "[\"" + hash + "\"]"))
                .isEqualTo("\"0x1\"");
        assertThat(weir.status()).isEqualTo(DERIVED);
        weir.ask("eth_getUncleCountByBlockHash", "[\"" + hash + "\"]");
        weir.ask("eth_getBlockByHash", "[\"" + hash + "\",true]");
        assertThat(calls())
                .containsExactly(
                        "eth_getTransactionByBlockHashAndIndex[\"" + hash + "\",\"0x0\"]",
                        "eth_getBlockByHash[\"" + hash + "\",true]");
    }

    @Test
    void theSecondTransactionFoundInABlockHasItFetchedBehindIt() {
        Block block = chain.block(21);
        weir.ask("eth_getTransactionByHash", "[\"" + block.transaction() + "\"]");
        weir.ask("eth_getTransactionReceipt", "[\"" + block.transaction() + "\"]");
        assertThat(weir.status()).isEqualTo("fwd=uri-miss");
        assertThat(calls()).contains("eth_getBlockReceipts[\"0x15\"]").hasSize(3);
        weir.ask("eth_getBlockReceipts", "[\"" + block.hash() + "\"]");
        weir.ask("eth_getLogs", "[{\"fromBlock\":\"0x15\",\"toBlock\":\"0x15\"}]");
        assertThat(weir.status()).isEqualTo(DERIVED);
        assertThat(calls()).hasSize(3);
    }

    @Test
    void noBlockIsFetchedBehindALookupWhoseClientLeft() {
        String lookup = "[\"" + chain.block(21).transaction() + "\"]";
        weir.clientsLeave = true;
        weir.ask("eth_getTransactionByHash", lookup);
        weir.ask("eth_getTransactionReceipt", lookup);
        assertThat(calls()).hasSize(2);
    }

    @Test
    void atTheHeadABlockAskedForWithHashesIsFetchedWhole() {
        String answer = weir.ask("eth_getBlockByNumber", "[\"latest\",false]");
        assertThat(answer).isEqualTo(chain.answer("eth_getBlockByNumber", "[\"0x64\",false]"));
        assertThat(calls()).containsExactly("eth_getBlockByNumber[\"0x64\",true]");
        weir.ask("eth_getTransactionByHash", "[\"" + chain.block(100).transaction() + "\"]");
        assertThat(weir.status()).isEqualTo(DERIVED);
        assertThat(calls()).hasSize(1);
    }

    @Test
    void aBlockThatTheNodeDoesNotHaveIsNullAndNothingIsKept() {
        weir.ask("eth_getBlockByNumber", "[\"latest\",true]");
        long before = weir.memory.store().entries();
        assertThat(weir.ask("eth_getBlockByNumber", "[\"0x65\",false]")).isEqualTo("null");
        assertThat(weir.ask("eth_getBlockTransactionCountByNumber", "[\"0x65\"]"))
                .isEqualTo("null");
        assertThat(weir.memory.store().entries()).isEqualTo(before);
        chain.mine(1);
        weir.changed();
        assertThat(weir.ask("eth_getBlockByNumber", "[\"0x65\",false]"))
                .contains(chain.block(101).hash());
    }

    @Test
    void aNodeWithoutReceiptsOfBlocksIsAskedForEachAlone() {
        List<String> tried = new ArrayList<>();
        Stage node = (context, sink) -> {
            if (context.call().method().equals("eth_getBlockReceipts")) {
                tried.add(String.valueOf(context.call().params()));
                sink.accept(RpcReply.failure(ErrorCode.METHOD_NOT_FOUND.error("no such method")));
            } else {
                chain.handle(context, sink);
            }
        };
        weir = new CacheFixture(node, chain::head);
        for (int number : new int[] {20, 21, 22}) {
            weir.ask("eth_getBlockByNumber", "[\"0x" + Integer.toHexString(number) + "\",true]");
            String params = "[\"" + chain.block(number).transaction() + "\"]";
            assertThat(weir.ask("eth_getTransactionReceipt", params))
                    .isEqualTo(chain.answer("eth_getTransactionReceipt", params));
        }
        assertThat(tried).hasSize(1);
        weir.nowNanos += TimeUnit.MINUTES.toNanos(11);
        weir.ask("eth_getBlockByNumber", "[\"0x17\",true]");
        weir.ask("eth_getTransactionReceipt", "[\"" + chain.block(23).transaction() + "\"]");
        assertThat(tried).as("some time later").hasSize(2);
    }

    @Test
    void whereItIsSwitchedOffEveryLookupIsForwarded() {
        weir = new CacheFixture(chain, chain::head, Verify.OFF, 1, "gather.enabled = off");
        String hash = chain.block(20).hash();
        weir.ask("eth_getTransactionByBlockHashAndIndex", "[\"" + hash + "\",\"0x0\"]");
        weir.ask("eth_getBlockTransactionCountByHash", "[\"" + hash + "\"]");
        weir.ask("eth_getUncleCountByBlockHash", "[\"" + hash + "\"]");
        assertThat(calls()).hasSize(3).noneMatch(call -> call.endsWith("true]"));
    }

    @Test
    void ofSeveralUpstreamsNothingIsFetchedThatCouldNotBeKept() {
        weir = new CacheFixture(chain, chain::head, Verify.OFF, 2);
        weir.ask("eth_getBlockTransactionCountByNumber", "[\"0x14\"]");
        weir.ask("eth_getTransactionByBlockNumberAndIndex", "[\"0x14\",\"0x0\"]");
        weir.ask("eth_getTransactionReceipt", "[\"" + chain.block(20).transaction() + "\"]");
        assertThat(calls()).hasSize(3);
    }

    @Test
    void lookupsIntoABlockThatIsBeingVerifiedWaitForIt() {
        VectorNode node = new VectorNode();
        weir = new CacheFixture(node, node::head, Verify.BEFORE_CACHING, 1);
        ObjectNode block = node.blockWithTransactions(20);
        weir.ask("eth_getBlockByNumber", "[" + block.get("number") + ",true]");
        List<AtomicReference<RpcReply>> answers = new ArrayList<>();
        for (String transaction : VectorNode.transactions(block)) {
            answers.add(weir.askLater("eth_getTransactionByHash", "[\"" + transaction + "\"]", Caller.PROXY));
            answers.add(weir.askLater("eth_getTransactionReceipt", "[\"" + transaction + "\"]", Caller.PROXY));
        }
        for (int i = 0; i < answers.size(); i++) {
            String text = weir.awaitAnswer(answers.get(i));
            assertThat(VectorNode.JSON.readTree(text))
                    .isEqualTo(
                            i % 2 == 0
                                    ? block.get("transactions").get(i / 2)
                                    : node.chain.receipts(block).get(i / 2));
        }
        assertThat(node.asked.stream().filter(call -> !call.endsWith(",false]")))
                .containsExactlyInAnyOrder(
                        "eth_getBlockByNumber[" + block.get("number") + ",true]",
                        "eth_getBlockReceipts[" + block.get("hash") + "]");
    }

    @Test
    void lookupsWaitForABlockThatHasNotArrived() {
        List<Runnable> held = new ArrayList<>();
        weir = new CacheFixture(
                (context, sink) -> held.add(() -> chain.handle(context, sink)), chain::head, Verify.OFF, 1);
        Block block = chain.block(20);
        List<AtomicReference<RpcReply>> answers = new ArrayList<>();
        answers.add(weir.askLater("eth_getBlockByNumber", "[\"0x14\",true]", Caller.PROXY));
        answers.add(weir.askLater("eth_getBlockReceipts", "[\"0x14\"]", Caller.PROXY));
        answers.add(weir.askLater("eth_getTransactionByHash", "[\"" + block.transaction() + "\"]", Caller.PROXY));
        answers.add(weir.askLater("eth_getTransactionReceipt", "[\"" + block.transaction() + "\"]", Caller.PROXY));
        answers.add(weir.askLater("eth_getBlockByHash", "[\"" + block.hash() + "\",true]", Caller.PROXY));
        while (!held.isEmpty()) {
            held.remove(0).run();
            weir.channel.runPendingTasks();
        }
        assertThat(answers).extracting(AtomicReference::get).hasOnlyElementsOfType(RpcReply.Result.class);
        assertThat(calls())
                .hasSize(3)
                .contains("eth_getBlockByNumber[\"0x14\",true]", "eth_getBlockReceipts[\"0x14\"]");
    }

    @Test
    void receiptsThatAreAskedForAgainAtOnceAreKept() {
        VectorNode node = new VectorNode();
        weir = new CacheFixture(node, node::head, Verify.BEFORE_CACHING, 1);
        String params = "[" + node.blockWithTransactions(20).get("hash") + "]";
        for (int i = 0; i < 3; i++) {
            weir.awaitAnswer(weir.askLater("eth_getBlockReceipts", params, Caller.PROXY));
            weir.awaitVerified();
        }
        assertThat(weir.status()).startsWith("hit");
    }

    @Test
    void aBlockWithUnclesIsKeptOnceTheseWereCompared() {
        VectorNode node = new VectorNode();
        weir = new CacheFixture(node, node::head, Verify.BEFORE_CACHING, 1);
        ObjectNode block = node.blocks.stream()
                .filter(one ->
                        !one.get("uncles").isEmpty() && !one.get("transactions").isEmpty())
                .findFirst()
                .orElseThrow();
        String byIndex = "[" + block.get("hash") + ",\"0x0\"]";
        weir.ask("eth_getTransactionByBlockHashAndIndex", byIndex);
        weir.awaitAnswer(
                weir.askLater("eth_getBlockTransactionCountByHash", "[" + block.get("hash") + "]", Caller.PROXY));
        assertThat(weir.status()).isEqualTo(DERIVED);
        assertThat(node.asked).contains("eth_getUncleByBlockHashAndIndex" + byIndex);
        weir.ask("eth_getBlockByHash", "[" + block.get("hash") + ",false]");
        assertThat(weir.status()).isEqualTo(DERIVED);
        assertThat(weir.last.trace().verified()).isEqualTo("header, transactions");
    }
}
