package io.weir.pipeline.head;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.chain.HeadMoment;
import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.upstream.FakeHead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Only a node that mines on demand may have changed its head by a transaction. */
class WriteStageTest {

    private static final RpcReply HASH = new RpcReply.Result(RawJson.of("\"0xabc\""));
    private static final RpcReply WHOLE_HASH = new RpcReply.Result(RawJson.of("\"0x" + "ab".repeat(32) + '"'));
    private static final RpcReply REFUSED = RpcReply.failure(new RpcError(-32000, "nonce too low", null));
    private static final RpcReply UNANSWERED = RpcReply.unavailable("no answer in time");

    private long now = 1;
    private final FakeHead head = new FakeHead(TimeUnit.MINUTES.toNanos(1), () -> now);
    private final HeadTracker tracker = head.tracker();
    private final List<ReplySink> nodes = new ArrayList<>();
    private final List<RpcReply> replies = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    /** Lookups of receipts that wait for an answer. */
    private final List<ReplySink> lookups = new ArrayList<>();

    private MiningOnDemand mining;

    @BeforeEach
    void theHeadIsFresh() {
        confirm();
        assertThat(tracker.fresh()).isTrue();
        chain("31337");
    }

    private void chain(String id) {
        mining = new MiningOnDemand(id, false, () -> now);
        tracker.listen(mining);
    }

    private void chainWithABlockTime() {
        chain("1");
        for (int i = 0; i < 3; i++) {
            confirm();
            write();
            answer(HASH);
            now += TimeUnit.SECONDS.toNanos(1);
            confirm();
        }
        assertThat(mining.isActive()).isFalse();
        replies.clear();
    }

    private void confirm() {
        HeadMoment round = tracker.now();
        tracker.named(round, 7, true);
        tracker.end(round, 7, true);
    }

    private void write() {
        write(new CallContext(
                new RpcCall(RawJson.of("1"), "eth_sendRawTransaction", RawJson.of("[\"0x01\"]")),
                Caller.PROXY,
                new NetworkId("n"),
                channel.eventLoop(),
                0,
                Long.MAX_VALUE));
    }

    private void lookUp(String receipt) {
        lookups.remove(0).accept(new RpcReply.Result(RawJson.of(receipt)));
    }

    @Test
    void onANodeThatMinesOnDemandTheHashWaitsForTheReceipt() {
        write();
        answer(WHOLE_HASH);
        lookUp("null");
        assertThat(replies).isEmpty();
        await().until(() -> {
            channel.runScheduledPendingTasks();
            return !lookups.isEmpty();
        });
        confirm();
        lookUp("{\"blockNumber\":\"0x8\"}");
        assertThat(replies).containsExactly(WHOLE_HASH);
        assertThat(tracker.fresh()).isFalse();
    }

    @Test
    void theHashWaitsShorterEachTimeWhileNodesDoNotMine() {
        long first = mining.waitNanos();
        write();
        answer(WHOLE_HASH);
        await().until(() -> {
            if (!lookups.isEmpty()) {
                lookUp("null");
            }
            channel.runScheduledPendingTasks();
            return !replies.isEmpty();
        });
        assertThat(mining.waitNanos()).isEqualTo(first / 8);
        write();
        answer(WHOLE_HASH);
        lookUp("{}");
        assertThat(replies).hasSize(2);
        assertThat(mining.waitNanos()).isEqualTo(first / 2);
    }

    @Test
    void onAnotherChainTheHashDoesNotWait() {
        chain("1");
        write();
        answer(WHOLE_HASH);
        assertThat(replies).containsExactly(WHOLE_HASH);
        assertThat(lookups).isEmpty();
    }

    private void write(CallContext context) {
        new WriteStage(head, mining, (own, sink) -> lookups.add(sink), (guarded, sink) -> {
                    guarded.trace().answeredBy("node", 1);
                    nodes.add(sink);
                })
                .handle(context, replies::add);
    }

    private void answer(RpcReply reply) {
        nodes.remove(0).accept(reply);
    }

    @Test
    void theHeadIsDoubtfulOnceTheTransactionIsAccepted() {
        write();
        assertThat(tracker.fresh()).as("in flight").isTrue();
        answer(HASH);
        assertThat(tracker.fresh()).isFalse();
        assertThat(replies).containsExactly(HASH);
    }

    @Test
    void aRoundThatBeganBeforeTheAnswerDoesNotEndTheDoubt() {
        write();
        HeadMoment early = tracker.now();
        answer(HASH);
        tracker.named(early, 7, true);
        tracker.end(early, 7, true);

        assertThat(tracker.fresh()).isFalse();
        assertThat(tracker.covers(early)).isFalse();
    }

    @Test
    void aRoundThatBeginsAMomentAfterTheAnswerDoesNotEndTheDoubt() {
        write();
        answer(HASH);
        now += HeadTracker.SETTLE_NANOS - 1;
        confirm();
        assertThat(tracker.fresh()).isFalse();

        now++;
        confirm();
        assertThat(tracker.fresh()).isTrue();
    }

    @Test
    void aTransactionWithoutAnAnswerInTimeMayBeMined() {
        write();
        answer(UNANSWERED);
        assertThat(tracker.fresh()).isFalse();
    }

    @Test
    void aDevelopmentNodeMayHaveMinedATransactionThatItAnswersWithAnError() {
        write();
        answer(REFUSED);
        assertThat(tracker.fresh()).isFalse();
    }

    @Test
    void aRefusedTransactionMakesNothingDoubtfulBeforeTheChainIsKnown() {
        chain("1");
        HeadMoment round = tracker.now();
        for (int i = 0; i < 100; i++) {
            write();
            answer(REFUSED);
        }
        assertThat(tracker.fresh()).isTrue();
        assertThat(tracker.coversWrites(round)).isTrue();
    }

    @Test
    void beforeTheChainIsKnownAnAcceptedTransactionMayBeMined() {
        chain("1");
        write();
        answer(HASH);
        assertThat(tracker.fresh()).isFalse();
    }

    @Test
    void onAChainWithABlockTimeATransactionLeavesTheHeadFresh() {
        chainWithABlockTime();
        for (RpcReply reply : List.of(HASH, REFUSED, UNANSWERED)) {
            write();
            answer(reply);
            assertThat(tracker.fresh()).as("%s", reply).isTrue();
        }
    }

    @Test
    void onAChainWithABlockTimeNoLaterCallSharesAnAnswerFromBeforeTheTransaction() {
        chainWithABlockTime();
        write();
        HeadMoment round = tracker.now();
        answer(HASH);
        assertThat(tracker.coversWrites(round)).isFalse();
        assertThat(tracker.covers(round)).isTrue();
        assertThat(tracker.coversWrites(tracker.now())).isTrue();
    }

    @Test
    void aReceiptThatAnswersATransactionRaisesTheHead() {
        chainWithABlockTime();
        write();
        answer(new RpcReply.Result(RawJson.of("{\"blockHash\":\"0x1\",\"blockNumber\":\"0x8\"}")));
        assertThat(head.seen).containsExactly("node:8");
        assertThat(tracker.number()).isEqualTo(8);
    }
}
