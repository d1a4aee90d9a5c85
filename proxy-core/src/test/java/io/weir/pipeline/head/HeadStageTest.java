package io.weir.pipeline.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.chain.Finalities;
import io.weir.chain.Finality;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockTag;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.upstream.FakeHead;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadStageTest {

    private static final String ACCOUNT = "\"0x" + "0".repeat(40) + "\"";
    private static final String HASH = "\"0x" + "ab".repeat(32) + "\"";

    private final EventLoop loop = new EmbeddedChannel().eventLoop();
    private final FakeHead head = new FakeHead(TimeUnit.MINUTES.toNanos(1));
    private long now = Long.MAX_VALUE;

    /** Answers of nodes, in order; a failure stands for a node that lacks the block. */
    private final Deque<RpcReply> nodes = new ArrayDeque<>();

    private final List<String> asked = new ArrayList<>();
    private final List<RpcReply> replies = new ArrayList<>();

    @Test
    void theTagOfTheHeadBecomesItsNumber() {
        head.named.add(16L);
        nodes.add(result("\"0x1\""));
        call("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]");
        assertThat(asked).containsExactly("[" + ACCOUNT + ",\"0x10\"] at 16");
        assertThat(replies).containsExactly(result("\"0x1\""));
        call("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]");
        assertThat(head.asked).as("it was fresh").isEqualTo(1);
    }

    @Test
    void ifNoNodeNamesAHeadTheTagIsSentUnchanged() {
        call("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]");
        assertThat(asked).containsExactly("[" + ACCOUNT + ",\"latest\"] at 0");
    }

    @Test
    void aNumberNeedsANodeThatHasIt() {
        call("eth_getBalance", "[" + ACCOUNT + ",\"0x20\"]");
        assertThat(asked).containsExactly("[" + ACCOUNT + ",\"0x20\"] at 32");
        assertThat(head.asked).isZero();
    }

    @Test
    void thePendingBlockIsRequestedFromANodeWithTheHeadAndDoesNotRaiseIt() {
        head.tracker().raise(9);
        nodes.add(result("{\"number\":\"0xa\"}"));
        call("eth_getBlockByNumber", "[\"pending\",false]");
        assertThat(asked).containsExactly("[\"pending\",false] at 9");
        assertThat(head.seen).isEmpty();
    }

    @Test
    void aNodeWithoutTheHeadCausesAnotherRequestForIt() {
        head.named.addAll(List.of(16L, 12L));
        nodes.add(lacking("header not found"));
        nodes.add(result("\"0x7\""));
        call("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]");
        assertThat(asked).containsExactly("[" + ACCOUNT + ",\"0x10\"] at 16", "[" + ACCOUNT + ",\"0xc\"] at 12");
        assertThat(replies).containsExactly(result("\"0x7\""));
    }

    @Test
    void aThirdTimeTheErrorIsTheNodes() {
        head.named.addAll(List.of(16L, 16L, 16L));
        nodes.addAll(Collections.nCopies(3, lacking("header not found")));
        call("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]");
        assertThat(asked).hasSize(3);
        assertThat(replies).containsExactly(lacking("header not found"));
    }

    @Test
    void aBlockThatIsNullIsLackedToo() {
        head.named.addAll(List.of(16L, 15L));
        nodes.add(result("null"));
        nodes.add(result("{}"));
        call("eth_getBlockByNumber", "[\"latest\",false]");
        assertThat(asked).containsExactly("[\"0x10\",false] at 16 for sure", "[\"0xf\",false] at 15 for sure");
        assertThat(replies).containsExactly(result("{}"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theNewestBlockIsNeverNull(int named) {
        head.named.addAll(Collections.nCopies(named, 16L));
        nodes.addAll(Collections.nCopies(3, result("null")));
        call("eth_getBlockByNumber", "[\"latest\",false]");
        assertThat(asked).hasSize(named);
        assertThat(replies)
                .containsExactly(
                        RpcReply.unavailable("no upstream could answer: none shows block 16, which one has named"));
    }

    @Test
    void aClientsOwnNumberIsNeverSentTwice() {
        nodes.add(result("null"));
        call("eth_getBlockByNumber", "[\"0x10\",false]");
        assertThat(asked).containsExactly("[\"0x10\",false] at 16");
        assertThat(replies).containsExactly(result("null"));
    }

    @Test
    void anAnswerThatNamesAHigherBlockRaisesTheHead() {
        head.tracker().raise(9);
        nodes.add(result("{\"logs\":[{\"blockNumber\":\"0xff\"}],\"blockNumber\":\"0xb\"}"));
        call("eth_getTransactionReceipt", "[" + HASH + "]");
        nodes.add(result("{\"number\":\"0xa\"}"));
        call("eth_getBlockByHash", "[" + HASH + ",false]");
        assertThat(head.seen).containsExactly("a:11");
        assertThat(head.tracker().number()).isEqualTo(11);
    }

    @Test
    void tagsOfFinalityGoAsTheyAre() {
        nodes.add(result("\"0x7\""));
        call("eth_getBalance", "[" + ACCOUNT + ",\"finalized\"]");
        assertThat(asked).containsExactly("[" + ACCOUNT + ",\"finalized\"] at 0");
        assertThat(head.asked).isZero();
    }

    @Test
    void ifNoNodeHasTheTagTheDepthReplacesItForAWhile() {
        head.finality = new Finality(head.tracker(), 1, 64, true, () -> now);
        head.named.add(100L);
        nodes.add(lacking("safe block not found"));
        nodes.add(result("\"0x7\""));
        call("eth_getBalance", "[" + ACCOUNT + ",\"safe\"]");
        call("eth_getBalance", "[" + ACCOUNT + ",\"safe\"]");
        call("eth_getBalance", "[" + ACCOUNT + ",\"finalized\"]");
        now += TimeUnit.MINUTES.toNanos(1);
        call("eth_getBalance", "[" + ACCOUNT + ",\"safe\"]");
        assertThat(asked)
                .extracting(one -> one.substring(one.indexOf(',') + 1))
                .containsExactly(
                        "\"safe\"] at 0",
                        "\"0x24\"] at 36",
                        "\"0x24\"] at 36",
                        "\"finalized\"] at 0",
                        "\"safe\"] at 0");
        assertThat(replies.get(0)).isEqualTo(result("\"0x7\""));
    }

    @Test
    void aCallThatFailsWithANumberTooSaysNothingAgainstTheTag() {
        head.named.add(100L);
        RpcReply wrong = RpcReply.failure(new RpcError(-32602, "odd number of digits", null));
        nodes.add(wrong);
        nodes.add(wrong);
        call("eth_getProof", "[" + ACCOUNT + ",[\"0x0\"],\"finalized\"]");
        call("eth_getBalance", "[" + ACCOUNT + ",\"finalized\"]");
        assertThat(replies).first().isEqualTo(wrong);
        assertThat(asked)
                .extracting(one -> one.substring(one.lastIndexOf(',') + 1))
                .containsExactly("\"finalized\"] at 0", "\"0x24\"] at 36", "\"finalized\"] at 0");
    }

    @Test
    void stateThatIsGoneSaysNothingAgainstTheTag() {
        nodes.add(lacking("missing trie node 12"));
        call("eth_getBalance", "[" + ACCOUNT + ",\"finalized\"]");
        assertThat(replies).containsExactly(lacking("missing trie node 12"));
        assertThat(asked).hasSize(1);
    }

    @Test
    void ofSeveralNodesTheAgreedBlockReplacesTheTag() {
        agreed(36);
        nodes.add(result("\"0x7\""));
        call("eth_getBalance", "[" + ACCOUNT + ",\"finalized\"]");
        assertThat(asked).containsExactly("[" + ACCOUNT + ",\"0x24\"] at 36");
        assertThat(replies).containsExactly(result("\"0x7\""));
        assertThat(head.asked).isZero();
    }

    @Test
    void aTagThatNoneOfSeveralNodesEverNamedIsTheDepthAndNoLowerBlockFollows() {
        lacking();
        head.named.add(100L);
        call("eth_getBalance", "[" + ACCOUNT + ",\"safe\"]");
        head.finality.used(BlockTag.SAFE, 50);
        call("eth_getBalance", "[" + ACCOUNT + ",\"safe\"]");
        assertThat(asked).containsExactly("[" + ACCOUNT + ",\"0x24\"] at 36", "[" + ACCOUNT + ",\"0x32\"] at 50");
    }

    @Test
    void onAChainWithItsFirstBlockOnlyEachTagIsThatBlock() {
        lacking();
        head.named.add(0L);
        call("eth_getBalance", "[" + ACCOUNT + ",\"safe\"]");
        agreed(0);
        call("eth_getBalance", "[" + ACCOUNT + ",\"finalized\"]");
        call("eth_getBalance", "[" + ACCOUNT + ",\"latest\"]");
        assertThat(asked).hasSize(3).containsOnly("[" + ACCOUNT + ",\"0x0\"] at 0");
    }

    @Test
    void whileNodesAgreeOnNoBlockTheCallFailsForAMomentAndNoDepthReplacesTheTag() {
        ofThree();
        head.named.add(100L);
        call("eth_getBalance", "[" + ACCOUNT + ",\"finalized\"]");
        assertThat(asked).isEmpty();
        assertThat(head.asked).isZero();
        assertThat(replies)
                .containsExactly(RpcReply.unavailable(
                        "no upstream could answer: finalized: nodes name no common block yet (expected: two"
                                + " that name one)"));
    }

    @Test
    void logsUpToTheHeadNeedANodeThatHasIt() {
        head.named.add(16L);
        call("eth_getLogs", "[{}]");
        assertThat(asked).containsExactly("[{}] at 16");
    }

    private void ofThree() {
        head.finality = new Finality(head.tracker(), 3, 64, true, () -> now);
    }

    private void agreed(long number) {
        ofThree();
        for (BlockTag tag : List.of(BlockTag.SAFE, BlockTag.FINALIZED)) {
            Finalities.agree(head.finality, tag, number, "");
        }
    }

    private void lacking() {
        ofThree();
        for (BlockTag tag : List.of(BlockTag.SAFE, BlockTag.FINALIZED)) {
            Finalities.lack(head.finality, tag);
        }
    }

    private void call(String method, String params) {
        var facts = MethodCatalogue.ethereum().facts(method);
        long start = System.nanoTime();
        RpcCall call = new RpcCall(RawJson.of("1"), method, RawJson.of(params));
        CallContext context = new CallContext(
                call, Caller.PROXY, new NetworkId("n"), loop, start, start + TimeUnit.SECONDS.toNanos(10));
        try {
            context.checked(facts.params().check(call.params()));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        new HeadStage(facts, head, node()).handle(context, replies::add);
    }

    private Stage node() {
        return (context, sink) -> {
            asked.add(context.call().params() + " at " + context.route().block()
                    + (context.route().blockExists() ? " for sure" : ""));
            RpcReply reply = nodes.isEmpty() ? result("\"0x0\"") : nodes.remove();
            context.trace().answeredBy("a", 1);
            context.trace().lackedData(reply instanceof RpcReply.Failure);
            sink.accept(reply);
        };
    }

    private static RpcReply result(String json) {
        return new RpcReply.Result(RawJson.of(json));
    }

    private static RpcReply lacking(String message) {
        return RpcReply.failure(new RpcError(-32000, message, null));
    }
}
