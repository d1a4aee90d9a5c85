package io.weir.pipeline.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.cache.tier.HandTier;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.send.AcceptedTransactions.SharedTransactions;
import io.weir.pipeline.send.SendStage.SentLookupStage;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SentLookupStageTest {

    private static final Transaction TRANSACTION = SignedTransactions.payment(TransactionType.DYNAMIC_FEE, 3);
    private static final String HASH = '"' + TRANSACTION.hash().hex() + '"';
    private static final String LOOKUP = "eth_getTransactionByHash";
    private static final String RECEIPT = "eth_getTransactionReceipt";
    private static final String MINED = "{\"hash\":" + HASH + ",\"transactionHash\":" + HASH + ",\"blockHash\":\"0x"
            + "cd".repeat(32) + "\",\"blockNumber\":\"0x10\",\"transactionIndex\":\"0x0\"}";

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Deque<RpcReply> nodes = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private final List<ReplySink> counts = new ArrayList<>();
    private long now = 1;
    private final AcceptedTransactions accepted = new AcceptedTransactions(() -> now);
    private final HandTier redis = new HandTier("redis");
    private SharedTransactions shared;

    private void accept() {
        accepted.add(TRANSACTION, TRANSACTION.hash(), "a", 0);
    }

    private String answer(String method, String params, String node) {
        return answer(method, params, new RpcReply.Result(RawJson.of(node)));
    }

    private String answer(String method, String params, RpcReply node) {
        nodes.add(node);
        MethodFacts facts = MethodCatalogue.ethereum().facts(method);
        RpcCall call = new RpcCall(RawJson.of("1"), method, RawJson.of(params));
        long start = System.nanoTime();
        CallContext context = new CallContext(
                call, Caller.PROXY, new NetworkId("n"), channel.eventLoop(), start, start + 1_000_000_000L);
        try {
            context.checked(facts.params().check(call.params()));
        } catch (InvalidParamsException e) {
            throw new AssertionError(e);
        }
        List<String> replies = new ArrayList<>();
        new SentLookupStage(accepted, shared, facts, (own, sink) -> counts.add(sink), (asking, sink) -> {
                    asked.add(asking.route().block() + (asking.route().blockExists() ? " for sure" : ""));
                    asking.trace().lackedData(nodes.peek() instanceof RpcReply.Failure);
                    sink.accept(nodes.remove());
                })
                .handle(
                        context,
                        reply -> replies.add(
                                reply instanceof RpcReply.Result result
                                        ? result.value().toString()
                                        : "failure"));
        return String.join("; ", replies);
    }

    private String lookUp(String node) {
        return answer(LOOKUP, "[" + HASH + "]", node);
    }

    private String pendingNonce(String node) {
        return answer("eth_getTransactionCount", "[\"" + TRANSACTION.sender().hex() + "\",\"pending\"]", node);
    }

    @Test
    void anAcceptedTransactionIsPendingWhileANodeHasNone() {
        accept();
        assertThat(lookUp("null")).contains("\"blockHash\":null", "\"hash\":" + HASH);
        RpcReply lacks = RpcReply.failure(new RpcError(-32000, "transaction indexing is in progress", null));
        assertThat(answer(LOOKUP, "[" + HASH + "]", lacks)).contains("\"hash\":" + HASH);
        assertThat(lookUp(MINED)).isEqualTo(MINED);
    }

    @Test
    void anUnknownTransactionIsTheNodes() {
        assertThat(lookUp("null")).isEqualTo("null");
        accept();
        String other = "[\"0x" + "12".repeat(32) + "\"]";
        assertThat(answer(LOOKUP, other, "null")).isEqualTo("null");
    }

    @Test
    void aReceiptIsNeverMadeUp() {
        accept();
        assertThat(answer(RECEIPT, "[" + HASH + "]", "null")).isEqualTo("null");
    }

    @Test
    void afterTheReceiptOnlyNodesWithItsBlockAreAsked() {
        accept();
        lookUp("null");
        answer(RECEIPT, "[" + HASH + "]", MINED);
        lookUp(MINED);
        answer(RECEIPT, "[" + HASH + "]", MINED);
        assertThat(asked).containsExactly("0", "0", "16 for sure", "16 for sure");
    }

    @ParameterizedTest
    @CsvSource({"0x2, 0x2", "0x3, 0x4", "0x4, 0x4", "0x5, 0x5", "null, null"})
    void thePendingNonceCountsWhatFollowsTheNodes(String node, String expected) {
        accept();
        String quoted = node.equals("null") ? node : '"' + node + '"';
        assertThat(pendingNonce(quoted).replace("\"", "")).isEqualTo(expected);
    }

    @Test
    void theNonceOfABlockIsTheNodes() {
        accept();
        String params = "[\"" + TRANSACTION.sender().hex() + "\",\"latest\"]";
        assertThat(answer("eth_getTransactionCount", params, "\"0x3\"")).isEqualTo("\"0x3\"");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTransactionWhoseNonceAnotherUsedLeavesOnceNodesHadTimeToFindIt(boolean elsewhere) {
        if (elsewhere) {
            acceptAtAnotherProxy(TRANSACTION);
        } else {
            accept();
        }
        lookUp("null");
        assertThat(counts).isEmpty();

        now += AcceptedTransactions.USED_NANOS;
        assertThat(lookUp("null")).contains(HASH);
        assertThat(lookUp("null")).contains(HASH);
        assertThat(counts).as("questions for the nonce").hasSize(1);
        counts.remove(0).accept(new RpcReply.Result(RawJson.of("\"0x3\"")));

        now += AcceptedTransactions.USED_NANOS;
        assertThat(lookUp("null")).contains(HASH);
        counts.remove(0).accept(new RpcReply.Result(RawJson.of("\"0x4\"")));
        now += AcceptedTransactions.USED_NANOS - 1;
        assertThat(lookUp("null")).contains(HASH);
        now++;
        assertThat(lookUp("null")).isEqualTo("null");
        assertThat(lookUp("null")).isEqualTo("null");
        assertThat(counts).isEmpty();
    }

    private void acceptAtAnotherProxy(Transaction... sent) {
        shared = new SharedTransactions(redis, "1", () -> TimeUnit.NANOSECONDS.toMillis(now));
        AcceptedTransactions others = new AcceptedTransactions(() -> now);
        for (Transaction transaction : sent) {
            shared.add(others.add(transaction, transaction.hash(), "a", 0));
        }
    }

    @Test
    void aTransactionOfAnotherProxyIsPendingHereToo() {
        acceptAtAnotherProxy(TRANSACTION, SignedTransactions.payment(TransactionType.LEGACY, 4));
        assertThat(pendingNonce("\"0x3\"")).isEqualTo("\"0x5\"");
        assertThat(lookUp("null")).contains("\"blockHash\":null", "\"hash\":" + HASH);
        assertThat(lookUp(MINED)).isEqualTo(MINED);
    }

    @Test
    void theTimeOfATransactionOfAnotherProxyBeginsWhenItWasSent() {
        acceptAtAnotherProxy(TRANSACTION);
        now += AcceptedTransactions.MAX_AGE_NANOS - TimeUnit.SECONDS.toNanos(1);
        assertThat(lookUp("null")).contains(HASH);
        now += TimeUnit.SECONDS.toNanos(1);
        assertThat(lookUp("null")).isEqualTo("null");
        assertThat(pendingNonce("\"0x3\"")).isEqualTo("\"0x3\"");
    }

    @Test
    void whatAnotherProxyReplacedIsPendingNoMore() {
        acceptAtAnotherProxy(TRANSACTION, SignedTransactions.payment(TransactionType.LEGACY, 3));
        assertThat(lookUp("null")).isEqualTo("null");
    }

    @Test
    void recordsThatAreNotWhatTheirNamesSayAreNoTransactions() {
        acceptAtAnotherProxy(TRANSACTION);
        byte[] other = SignedTransactions.payment(TransactionType.LEGACY, 4).encoded();
        byte[] otherRecord = ByteBuffer.allocate(Long.BYTES + other.length)
                .put(Long.BYTES, other)
                .array();
        redis.records.replaceAll((name, record) -> otherRecord);
        assertThat(pendingNonce("\"0x3\"")).isEqualTo("\"0x3\"");
        assertThat(lookUp("null")).isEqualTo("null");
        redis.records.replaceAll((name, record) -> new byte[] {2, 1});
        assertThat(lookUp("null")).isEqualTo("null");
        redis.failing = true;
        assertThat(pendingNonce("\"0x3\"")).isEqualTo("\"0x3\"");
    }

    @Test
    void whatAnotherProxyTookBackIsGone() {
        acceptAtAnotherProxy(TRANSACTION);
        shared.remove(new AcceptedTransactions(() -> now).add(TRANSACTION, TRANSACTION.hash(), "a", 0));
        assertThat(redis.records).isEmpty();
        assertThat(pendingNonce("\"0x3\"")).isEqualTo("\"0x3\"");
    }
}
