package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.BlockLink;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.ethereum.Hex;
import io.weir.ethereum.transaction.Transaction;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.upstream.NodeOutcome;
import io.weir.verify.ChainVectors;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is served where answers are verified first, and what nodes are asked for that. */
class ProofStageTest {

    private static final ChainVectors VECTORS = new ChainVectors();

    private final VectorChain chain = new VectorChain(VECTORS);
    private ServingFixture weir = new ServingFixture(Verify.BEFORE_SERVING);

    ProofStageTest() {
        bothHonest();
    }

    private void bothHonest() {
        ServingFixture.serve(weir.pool.a, chain);
        ServingFixture.serve(weir.pool.b, chain);
    }

    private void over(ServingFixture other) {
        weir.close();
        weir = other;
        bothHonest();
    }

    @AfterEach
    void close() {
        weir.close();
    }

    private Entry withUncle() {
        return chain.first(one ->
                !one.uncles().isEmpty() && one.block().get("transactions").size() > 1);
    }

    private Entry withLogs() {
        return chain.first(one -> one.receipts()
                .valueStream()
                .anyMatch(receipt -> !receipt.get("logs").isEmpty()));
    }

    /** Asks, and holds the answer against the chain's. What is said of its place depends on earlier calls: {@link VerifiedTableTest}. */
    private void answersRightly(String method, String params, String verified) {
        long before = weir.calls();
        Answer answer = weir.ask(method, params);
        assertThat(answer.json())
                .as(method + params)
                .isEqualTo(chain.answer(method, VectorChain.JSON.readTree(params)));
        assertThat(answer.verified().replace(", place", "")).as(method + params).isEqualTo(verified);
        assertThat(weir.calls() - before)
                .as("upstream calls for " + method + params)
                .isLessThanOrEqualTo(4);
    }

    @Test
    void everyFormOfLookupIsAnsweredProvenWithAtMostFourCalls() {
        for (Entry entry : List.of(withUncle(), withLogs(), chain.at(54))) {
            String hash = '"' + entry.hash() + '"';
            String number = '"' + entry.number() + '"';
            for (String full : List.of("true", "false")) {
                answersRightly("eth_getBlockByHash", "[" + hash + "," + full + "]", "header, transactions");
                answersRightly("eth_getBlockByNumber", "[" + number + "," + full + "]", "header, transactions");
            }
            answersRightly("eth_getBlockTransactionCountByHash", "[" + hash + "]", "header, transactions");
            answersRightly("eth_getBlockTransactionCountByNumber", "[" + number + "]", "header, transactions");
            answersRightly("eth_getUncleCountByBlockHash", "[" + hash + "]", "header");
            answersRightly("eth_getUncleCountByBlockNumber", "[" + number + "]", "header");
            answersRightly("eth_getUncleByBlockHashAndIndex", "[" + hash + ",\"0x0\"]", "header");
            answersRightly("eth_getUncleByBlockNumberAndIndex", "[" + number + ",\"0x0\"]", "header");
            answersRightly("eth_getTransactionByBlockHashAndIndex", "[" + hash + ",\"0x1\"]", "transaction");
            answersRightly("eth_getTransactionByBlockNumberAndIndex", "[" + number + ",\"0x1\"]", "transaction");
            answersRightly("eth_getBlockReceipts", "[" + number + "]", "receipts");
            answersRightly("eth_getLogs", "[{\"blockHash\":" + hash + "}]", "receipts, logs");
            answersRightly(
                    "eth_getLogs", "[{\"fromBlock\":" + number + ",\"toBlock\":" + number + "}]", "receipts, logs");
            JsonNode transaction = entry.block().get("transactions").get(1);
            String named = "[\"" + transaction.get("hash").stringValue() + "\"]";
            answersRightly("eth_getTransactionByHash", named, "transaction");
            answersRightly("eth_getTransactionReceipt", named, "receipts");
        }
        assertThat(weir.pool.a.refuted).isEmpty();
        assertThat(weir.pool.b.refuted).isEmpty();
    }

    @Test
    void historicLookupsNoTwoOfWhichShareABlockTakeAtMostFourCallsEach() {
        int lookups = 0;
        for (Entry entry : chain.entries()) {
            JsonNode transactions = entry.block().get("transactions");
            String hash =
                    transactions.get(lookups % transactions.size()).get("hash").stringValue();
            switch (lookups % 4) {
                case 0 -> weir.ask("eth_getTransactionReceipt", "[\"" + hash + "\"]");
                case 1 -> weir.ask("eth_getTransactionByHash", "[\"" + hash + "\"]");
                case 2 -> weir.ask("eth_getBlockByNumber", "[\"" + entry.number() + "\",false]");
                default -> weir.ask("eth_getBlockReceipts", "[\"" + entry.number() + "\"]");
            }
            lookups++;
        }
        assertThat(lookups).isGreaterThan(50);
        assertThat(weir.calls()).isLessThanOrEqualTo(4L * lookups);
    }

    @Test
    void aLookupWhoseBlockIsGoneMeanwhileIsAskedOnceMore() {
        for (HandNode node : List.of(weir.pool.a, weir.pool.b)) {
            AtomicBoolean first = new AtomicBoolean(true);
            ServingFixture.serve(
                    node,
                    chain,
                    call -> call.method().equals("eth_getBlockByHash") && first.getAndSet(false)
                            ? new NodeOutcome.Answered(new RpcReply.Result(RawJson.NULL))
                            : null);
        }
        String named =
                chain.at(54).block().get("transactions").get(1).get("hash").stringValue();
        Answer answer = weir.ask("eth_getTransactionReceipt", "[\"" + named + "\"]");
        assertThat(answer.json())
                .isEqualTo(chain.answer("eth_getTransactionReceipt", VectorChain.JSON.readTree("[\"" + named + "\"]")));
        assertThat(answer.verified()).isEqualTo("receipts, place");
        assertThat(weir.pool.a.refuted).isEmpty();
        assertThat(weir.pool.b.refuted).isEmpty();
    }

    @Test
    void receiptsOfABlockThatIsDroppedMeanwhileAreToldAsNodesDo() {
        AtomicBoolean dropped = new AtomicBoolean();
        RpcReply none = new RpcReply.Result(RawJson.NULL);
        for (HandNode node : List.of(weir.pool.a, weir.pool.b)) {
            ServingFixture.serve(node, chain, call -> {
                boolean ofReceipts = call.method().equals("eth_getBlockReceipts");
                if (ofReceipts) {
                    dropped.set(true);
                }
                return dropped.get() ? new NodeOutcome.Answered(none) : null;
            });
        }
        assertThat(weir.ask("eth_getBlockReceipts", "[\"" + chain.at(54).hash() + "\"]")
                        .reply())
                .isEqualTo(none);
    }

    @Test
    void receiptsThatNobodyHasOfABlockThatIsThereWillComeLater() {
        for (HandNode node : List.of(weir.pool.a, weir.pool.b)) {
            ServingFixture.serve(
                    node,
                    chain,
                    call -> call.method().equals("eth_getBlockReceipts")
                            ? new NodeOutcome.Answered(new RpcReply.Result(RawJson.NULL))
                            : null);
        }
        Answer answer = weir.ask("eth_getBlockReceipts", "[\"" + chain.at(54).hash() + "\"]");
        assertThat(answer.failure().kind()).isEqualTo(FailureKind.UNAVAILABLE);
    }

    @Test
    void aTransactionsBytesAreThoseThatWereSigned() {
        Entry entry = chain.at(54);
        String raw = weir.ask("eth_getRawTransactionByBlockHashAndIndex", "[\"" + entry.hash() + "\",\"0x1\"]")
                .json()
                .stringValue();
        assertThat(Transaction.decode(Hex.decode(raw)).hash().hex())
                .isEqualTo(entry.block().get("transactions").get(1).get("hash").stringValue());
    }

    @Test
    void aKnownAnswerIsAnsweredFromMemoryWithWhatWasProven() {
        String params = "[\""
                + chain.at(40).block().get("transactions").get(0).get("hash").stringValue() + "\"]";
        weir.ask("eth_getTransactionReceipt", params);
        weir.settle();
        Answer again = weir.ask("eth_getTransactionReceipt", params);
        assertThat(again.cache()).isEqualTo("hit");
        assertThat(again.verified()).isEqualTo("receipts, place");
    }

    @Test
    void whatNothingCanProvePassesAndIsCounted() {
        weir.pool.a.answers = call -> HandNode.result("\"0x5\"");
        Answer answer = weir.ask("eth_getBalance", "[\"0x" + "0".repeat(40) + "\",\"0x1\"]");
        assertThat(answer.json().stringValue()).isEqualTo("0x5");
        assertThat(answer.verified()).isEmpty();
        assertThat(weir.pool.counter("verifications", "unproven")).isEqualTo(1);
    }

    /** A node's answer to full blocks with a member that nobody knows, and another hash because of it. */
    private void unknownIn(HandNode node, Entry entry) {
        ObjectNode strange = entry.block().deepCopy();
        strange.put("gasUsed", "0x1");
        strange.put("memberFromTheFuture", "0x1");
        ServingFixture.serve(
                node,
                chain,
                call -> call.method().equals("eth_getBlockByHash") ? HandNode.result(strange.toString()) : null);
    }

    @Test
    void whatCannotBeVerifiedIsAFaultOnceAnothersAnswerForItIsProven() {
        Entry entry = chain.at(40);
        unknownIn(weir.pool.a, entry);
        answersRightly("eth_getBlockByHash", "[\"" + entry.hash() + "\",true]", "header, transactions");
        assertThat(weir.pool.a.refuted).singleElement().asString().startsWith("UNVERIFIABLE costs");
        assertThat(weir.pool.b.refuted).isEmpty();
    }

    @Test
    void whatNoNodesAnswerCanBeVerifiedOfIsAnErrorThatIsNotRepeated() {
        Entry entry = chain.at(40);
        unknownIn(weir.pool.a, entry);
        unknownIn(weir.pool.b, entry);
        Answer answer = weir.ask("eth_getBlockByHash", "[\"" + entry.hash() + "\",true]");
        assertThat(answer.failure().kind()).isEqualTo(FailureKind.ANSWER);
        assertThat(answer.failure().error().code()).isEqualTo(-32000);
        assertThat(answer.failure().error().message()).contains("verified");
        assertThat(weir.pool.a.refuted).isEmpty();
    }

    @Test
    void whatCannotBeVerifiedPassesWhereThatIsAllowedAndIsNotKept() {
        over(new ServingFixture(Verify.BEFORE_SERVING, Hashing.ETHEREUM, Unverifiable.PASS, 2));
        Entry entry = chain.at(40);
        unknownIn(weir.pool.a, entry);
        unknownIn(weir.pool.b, entry);
        Answer answer = weir.ask("eth_getBlockByHash", "[\"" + entry.hash() + "\",true]");
        assertThat(answer.json().has("memberFromTheFuture")).isTrue();
        assertThat(answer.verified()).isEmpty();
        weir.settle();
        assertThat(weir.ask("eth_getBlockByHash", "[\"" + entry.hash() + "\",true]")
                        .cache())
                .isEqualTo("fwd=uri-miss");
    }

    @Test
    void whatIsAskedOfABlockThatCannotBeVerifiedPassesInItsOwnFormWhereThatIsAllowed() {
        over(new ServingFixture(Verify.BEFORE_SERVING, Hashing.ETHEREUM, Unverifiable.PASS, 2));
        Entry entry = chain.at(40);
        unknownIn(weir.pool.a, entry);
        unknownIn(weir.pool.b, entry);
        answersRightly("eth_getBlockTransactionCountByHash", "[\"" + entry.hash() + "\"]", "");
        answersRightly("eth_getBlockReceipts", "[\"" + entry.hash() + "\"]", "");
    }

    @Test
    void receiptsThatNobodyGivesAllOfCannotBeVerified() {
        for (HandNode node : List.of(weir.pool.a, weir.pool.b)) {
            ServingFixture.serve(
                    node,
                    chain,
                    call -> call.method().equals("eth_getBlockReceipts")
                            ? HandNode.error(-32601, "no such method")
                            : null);
        }
        String transaction =
                chain.at(40).block().get("transactions").get(0).get("hash").stringValue();
        assertThat(weir.ask("eth_getTransactionReceipt", "[\"" + transaction + "\"]")
                        .failure()
                        .error()
                        .code())
                .isEqualTo(-32000);
        assertThat(weir.ask("eth_getLogs", "[{\"blockHash\":\"" + withLogs().hash() + "\"}]")
                        .failure()
                        .error()
                        .code())
                .isEqualTo(-32000);
    }

    @Test
    void whatIsNotThereIsToldAsNodesDo() {
        String unknown = "\"0x" + "ab".repeat(32) + "\"";
        assertThat(weir.ask("eth_getBlockByHash", "[" + unknown + ",false]")
                        .json()
                        .isNull())
                .isTrue();
        assertThat(weir.ask("eth_getTransactionReceipt", "[" + unknown + "]")
                        .json()
                        .isNull())
                .isTrue();
        assertThat(weir.ask("eth_getBlockReceipts", "[\"0x1000\"]").json().isNull())
                .isTrue();
        assertThat(weir.ask("eth_getLogs", "[{\"fromBlock\":\"0x1000\",\"toBlock\":\"0x1000\"}]")
                        .json())
                .isEmpty();
        assertThat(weir.ask("eth_getLogs", "[{\"blockHash\":" + unknown + "}]")
                        .failure()
                        .error()
                        .message())
                .isEqualTo("unknown block");
    }

    @Test
    void whereThereIsNoRoomToVerifyTheCallIsShed() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        for (int i = 0; i < 3; i++) {
            weir.memory.executor().tryRun(0, () -> {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        Answer answer = weir.ask("eth_getBlockByHash", "[\"" + chain.at(40).hash() + "\",true]");
        release.countDown();
        assertThat(answer.failure().kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(weir.pool.counter("verifications", "shed")).isEqualTo(1);
        assertThat(weir.pool.b.asked).as("another node would not help").isEmpty();
    }

    @Test
    void whatIsNotVerifiedInTimeIsNotServed() {
        CountDownLatch release = new CountDownLatch(1);
        weir.memory.executor().tryRun(0, () -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Answer answer = weir.ask("eth_getBlockByHash", "[\"" + chain.at(40).hash() + "\",true]", 50);
        release.countDown();
        assertThat(answer.failure().kind()).isEqualTo(FailureKind.UNAVAILABLE);
    }

    @Test
    void aFalseAnswerCostsHealthOnceTheChainsRulesAreKnown() {
        over(new ServingFixture(Verify.BEFORE_SERVING, Hashing.AUTO, Unverifiable.REFUSE, 2));
        ServingFixture.serve(weir.pool.a, chain, call -> lying(call.method(), String.valueOf(call.params())));
        answersRightly("eth_getBlockByHash", "[\"" + chain.at(40).hash() + "\",true]", "header, transactions");
        answersRightly("eth_getBlockByHash", "[\"" + chain.at(41).hash() + "\",false]", "header, transactions");
        assertThat(weir.pool.a.refuted.get(0)).startsWith("FALSE_HASH counts: hash: ");
        assertThat(weir.pool.a.refuted.get(1)).startsWith("FALSE_HASH costs: hash: ");
    }

    private NodeOutcome lying(String method, String params) {
        if (!method.equals("eth_getBlockByHash")) {
            return null;
        }
        ObjectNode lie = chain.answer(method, VectorChain.JSON.readTree(params))
                .deepCopy()
                .asObject();
        return HandNode.result(lie.put("gasUsed", "0x1").toString());
    }

    @Test
    void whatProvedOneAnswerAnswersTheNext() {
        Entry entry =
                chain.first(one -> one.uncles().isEmpty() && one.receipts().size() > 3);
        JsonNode transactions = entry.block().get("transactions");
        for (int i = 0; i < 3; i++) {
            String params = "[\"" + transactions.get(i).get("hash").stringValue() + "\"]";
            answersRightly("eth_getTransactionReceipt", params, "receipts");
            weir.settle();
        }
        answersRightly("eth_getBlockByNumber", "[\"" + entry.number() + "\",true]", "header, transactions");
        assertThat(weir.calls()).as("receipt, block, receipts, anchor").isEqualTo(4);
    }

    @Test
    void evidenceWhoseUnclesDidNotMatterIsNotKept() {
        Entry entry = withUncle();
        String byHash = "[" + entry.block().get("transactions").get(0).get("hash") + "]";
        answersRightly("eth_getTransactionByHash", byHash, "transaction");
        weir.settle();
        Answer block = weir.ask("eth_getBlockByHash", "[\"" + entry.hash() + "\",true]");
        assertThat(block.cache()).isEqualTo("fwd=uri-miss");
        assertThat(block.verified()).isEqualTo("header, transactions");
    }

    @Test
    void callsThatNeedTheSameBlockAtTheSameTimeAreAllAnsweredProven() {
        Entry plain =
                chain.first(one -> one.uncles().isEmpty() && one.receipts().size() > 3);
        for (Entry entry : List.of(plain, withUncle())) {
            String block = "[\"" + entry.hash() + "\",true]";
            for (JsonNode transaction : entry.block().get("transactions")) {
                weir.forget();
                String byHash = "[" + transaction.get("hash") + "]";
                CompletableFuture<Answer> receipt =
                        CompletableFuture.supplyAsync(() -> weir.ask("eth_getTransactionReceipt", byHash));
                assertThat(weir.ask("eth_getBlockByHash", block).verified()).isEqualTo("header, transactions");
                assertThat(receipt.join().verified()).isEqualTo("receipts, place");
                weir.settle();
            }
        }
    }

    @Test
    void thePlaceOfABlockThatIsReplacedMeanwhileIsNotNamed() {
        Entry entry = withLogs();
        String number = '"' + entry.number() + '"';
        String other = chain.first(one -> !one.hash().equals(entry.hash())).hash();
        BlockLink link = new BlockLink(
                Integer.decode(entry.number()),
                other,
                entry.block().get("parentHash").stringValue());
        Function<RpcCall, NodeOutcome> replacing = call -> {
            if (call.method().equals("eth_getBlockReceipts")) {
                weir.view.restart(List.of(link), "a");
            }
            return null;
        };
        ServingFixture.serve(weir.pool.a, chain, replacing);
        ServingFixture.serve(weir.pool.b, chain, replacing);
        String params = "[{\"fromBlock\":" + number + ",\"toBlock\":" + number + "}]";
        assertThat(weir.ask("eth_getLogs", params).verified()).isEqualTo("receipts, logs");
    }

    @Test
    void evidenceIsNoLookup() {
        Entry entry =
                chain.first(one -> one.uncles().isEmpty() && one.receipts().size() > 3);
        JsonNode transactions = entry.block().get("transactions");
        weir.ask("eth_getTransactionReceipt", "[" + transactions.get(0).get("hash") + "]");
        assertThat(weir.pool.counter("cache_lookups", "miss")).isEqualTo(1);
    }

    @Test
    void inBeforeCachingTheSameFaultIsTold() {
        over(new ServingFixture(Verify.BEFORE_CACHING));
        Entry entry = chain.at(40);
        ObjectNode lie = entry.block().deepCopy();
        lie.put("gasUsed", "0x1");
        weir.pool.a.answers = call ->
                call.params().toString().contains("finalized") ? chain.outcome(call) : HandNode.result(lie.toString());
        assertThat(weir.ask("eth_getBlockByHash", "[\"" + entry.hash() + "\",true]")
                        .json())
                .isEqualTo(entry.block());
        weir.settle();
        assertThat(weir.pool.a.refuted).singleElement().asString().startsWith("FALSE_HASH costs: hash: ");
    }
}
