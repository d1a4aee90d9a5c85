package io.weir.pipeline.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.RateGate;
import io.weir.access.TestCaller;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ClientPresence;
import io.weir.pipeline.HandNode;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of logs that nodes refuse, and what becomes of them. */
class LogRangeStageTest {

    private static final BlockRange LONG = new BlockRange(500, 100_499);
    private static final BlockRange SHORT = new BlockRange(10, 29);
    private static final LogNode.Refusal WIDE = asked -> new RpcError(-32600, "block range is too wide", null);

    private static final int LOGS_COST =
            MethodCatalogue.ethereum().facts("eth_getLogs").cost();

    private static LogNode.Refusal limitedTo(long limit) {
        return asked -> new RpcError(-32614, "eth_getLogs is limited to a %,d range".formatted(limit), null);
    }

    /** One log in each block. */
    private static LogNode node() {
        return new LogNode(block -> List.of(log(block, "a" + block)));
    }

    private static String log(long block, String hash) {
        return "{\"blockNumber\":\"0x%x\",\"blockHash\":\"%s\"}".formatted(block, hash);
    }

    private static void assertTwiceTheLeastAtMost(LogNode node, long limit) {
        assertThat(node.asked() - 1)
                .as("calls for pieces, %s of them refused", node.refused().size() - 1)
                .isLessThanOrEqualTo((int) (2 * LONG.pieces(limit)));
    }

    @ParameterizedTest
    @CsvSource({"10000, true", "2000, true", "1000, true", "10000, false", "2000, false", "1000, false", "2048, false"})
    void aRefusedRangeOf100000BlocksTakesAtMostTwiceTheLeastNumberOfPieces(long limit, boolean named) {
        LogRangeFixture weir = new LogRangeFixture(1);
        LogNode node = node().takingBlocks(limit, named ? limitedTo(limit) : WIDE);
        weir.nodes.get(0).answers = node;
        assertThat(weir.ask(LONG)).isEqualTo(node.logs(LONG));
        assertTwiceTheLeastAtMost(node, limit);
        if (named) {
            assertThat(node.asked()).isEqualTo(1 + LONG.pieces(limit));
        }
        assertThat(weir.counter("log_ranges", "joined")).isOne();
        assertThat(weir.counter("log_ranges", "piece_answered"))
                .isEqualTo(node.answered().size());
        assertThat(weir.counter("log_ranges", "piece_refused"))
                .isEqualTo(node.refused().size() - 1);
        assertThat(weir.budget.taken()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"10000, true", "2000, true", "1000, true", "10000, false", "2000, false", "1000, false"})
    void aRangeWithTooManyLogsTakesAtMostTwiceTheLeastNumberOfPieces(long limit, boolean proposed) {
        LogRangeFixture weir = new LogRangeFixture(1);
        LogNode node = node().takingLogs(
                        limit,
                        asked -> new RpcError(
                                -32005,
                                "query returned more than %d results".formatted(limit)
                                        + (proposed
                                                ? ". Try with this block range [0x%x, 0x%x]."
                                                        .formatted(asked.from(), asked.from() + limit - 1)
                                                : ""),
                                null));
        weir.nodes.get(0).answers = node;
        assertThat(weir.ask(LONG)).isEqualTo(node.logs(LONG));
        assertTwiceTheLeastAtMost(node, limit);
        assertThat(weir.limit("a")).as("depends on the filter").isZero();
    }

    /** A key that may pay for so many pieces now, and for one more each second. */
    private static class Rate implements RateGate {
        private int left;
        private int paid;

        Rate(int left) {
            this.left = left;
        }

        @Override
        public boolean weighted() {
            return true;
        }

        @Override
        public long perSecond() {
            return LOGS_COST;
        }

        @Override
        public long admit(long units) {
            if (left == 0) {
                left++;
                return TimeUnit.SECONDS.toNanos(1);
            }
            left--;
            paid += (int) units;
            return 0;
        }

        @Override
        public void giveBack(long units) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void charge(long units) {
            throw new UnsupportedOperationException();
        }
    }

    private static LogRangeFixture withRate(Rate rate) {
        LogRangeFixture weir = new LogRangeFixture(1);
        weir.caller = TestCaller.of("client", rate);
        weir.nodes.get(0).answers = node().takingBlocks(10_000, limitedTo(10_000));
        return weir;
    }

    @Test
    void theKeyPaysForEachPieceBehindTheFirst() {
        Rate rate = new Rate(100);
        LogRangeFixture weir = withRate(rate);
        CallContext context = weir.context(LogRangeFixture.filter(LONG));
        assertThat(LogRangeFixture.text(weir.send(context))).isEqualTo(node().logs(LONG));
        assertThat(rate.paid).isEqualTo(9 * LOGS_COST);
        assertThat(context.trace().moreUnits()).as("what it is billed for").isEqualTo(9 * LOGS_COST);
    }

    @Test
    void aPieceForWhichTheKeyCannotPayYetWaits() {
        Rate rate = new Rate(5);
        LogRangeFixture weir = withRate(rate);
        List<RpcReply> replies = weir.send(weir.context(LogRangeFixture.filter(LONG)));
        assertThat(rate.paid).isEqualTo(5 * LOGS_COST);
        assertThat(replies).isEmpty();
        for (int second = 0; second < 4; second++) {
            weir.passOnLoop(TimeUnit.SECONDS.toNanos(1));
        }
        assertThat(LogRangeFixture.text(replies)).isEqualTo(node().logs(LONG));
    }

    @Test
    void aKeyThatCannotPayInTimeGetsAnErrorThatSaysSo() {
        Rate never = new Rate(0) {
            @Override
            public long admit(long units) {
                return RateGate.NEVER;
            }
        };
        LogRangeFixture weir = withRate(never);
        assertThat(weir.ask(LONG))
                .isEqualTo("-32005 the pieces of the block range exceed the rate or the units of this api key");
        assertThat(weir.budget.taken()).isZero();
    }

    @Test
    void noPieceIsAskedForAClientThatIsGone() {
        LogRangeFixture weir = new LogRangeFixture(1);
        LogNode node = node().takingBlocks(1_000, limitedTo(1_000));
        AtomicBoolean gone = new AtomicBoolean();
        weir.nodes.get(0).answers = asked -> {
            if (node.asked() == 5) {
                gone.set(true);
            }
            return node.apply(asked);
        };
        ClientPresence client = new ClientPresence() {
            @Override
            public void whenClientLeaves(Runnable action) {}

            @Override
            public boolean isGone() {
                return gone.get();
            }
        };
        weir.send(weir.context(LogRangeFixture.filter(LONG), client));
        assertThat(node.asked()).isLessThan(12);
        assertThat(weir.budget.taken()).isZero();
    }

    @Test
    void piecesGrowAgainBehindABlockWithManyLogs() {
        LogRangeFixture weir = new LogRangeFixture(1);
        LogNode node = new LogNode(block -> block == 600
                        ? Collections.nCopies(900, log(block, "a" + block))
                        : block % 1_000 == 0 ? List.of(log(block, "a" + block)) : List.of())
                .takingLogs(900, asked -> new RpcError(-32005, "query returned more than 900 results", null));
        weir.nodes.get(0).answers = node;
        assertThat(weir.ask(LONG)).isEqualTo(node.logs(LONG));
        assertThat(node.asked()).isLessThan(60);
    }

    @Test
    void aLearnedLimitCutsTheNextRangeAtOnceUntilItIsForgotten() {
        LogRangeFixture weir = new LogRangeFixture(1);
        LogNode node = node().takingBlocks(2_000, WIDE);
        weir.nodes.get(0).answers = node;
        weir.ask(LONG);
        assertThat(weir.limit("a")).isEqualTo(2_000);
        int refused = node.refused().size();
        assertThat(weir.ask(LONG)).isEqualTo(node.logs(LONG));
        assertThat(node.refused()).hasSize(refused);
        weir.nowNanos += TimeUnit.HOURS.toNanos(1);
        assertThat(weir.limit("a")).isZero();
        weir.ask(LONG);
        assertThat(node.refused()).hasSizeGreaterThan(refused);
    }

    @Test
    void aPieceGoesToTheNodeThatTakesTheMost() {
        LogRangeFixture weir = new LogRangeFixture(2);
        LogNode small = node().takingBlocks(1_000, limitedTo(1_000));
        LogNode large = node().takingBlocks(10_000, limitedTo(10_000));
        weir.nodes.get(0).answers = small;
        weir.nodes.get(1).answers = large;
        assertThat(weir.ask(LONG)).isEqualTo(small.logs(LONG));
        assertThat(small.asked()).as("the whole range").isOne();
        assertThat(large.answered()).hasSize(10);
        assertThat(weir.ask(LONG)).isEqualTo(small.logs(LONG));
        assertThat(small.asked()).isOne();
    }

    @Test
    void aRangeGoesToANodeThatRefusedNoneAndIsCutForTheOthersIfThatFails() {
        LogRangeFixture weir = new LogRangeFixture(2);
        LogNode small = node().takingBlocks(1_000, limitedTo(1_000));
        LogNode unlimited = node();
        weir.nodes.get(0).answers = small;
        weir.nodes.get(1).answers = unlimited;
        weir.ask(LONG);
        weir.ask(LONG);
        assertThat(small.asked()).isOne();
        assertThat(unlimited.answered()).containsExactly(LONG, LONG);

        weir.nodes.get(1).answers = call -> HandNode.unreachable();
        assertThat(weir.ask(LONG)).isEqualTo(small.logs(LONG));
        assertThat(small.answered()).hasSize(100);
    }

    @Test
    void ifTheNodeOfThePiecesFailsTheyAreCutForAnother() {
        LogRangeFixture weir = new LogRangeFixture(2);
        LogNode small = node().takingBlocks(1_000, limitedTo(1_000));
        LogNode large = node().takingBlocks(10_000, limitedTo(10_000));
        weir.nodes.get(0).answers = small;
        weir.nodes.get(1).answers = call -> large.answered().size() < 5 ? large.apply(call) : HandNode.unreachable();
        assertThat(weir.ask(LONG)).isEqualTo(small.logs(LONG));
        assertThat(large.answered()).hasSize(5);
        assertThat(small.answered()).hasSize(50);
    }

    @Test
    void anotherNodeAnswersAPieceThatOneDoesNot() {
        LogRangeFixture weir = new LogRangeFixture(2);
        LogNode node = node().takingBlocks(5, limitedTo(5));
        weir.nodes.get(0).answers = call -> node.asked() % 2 == 0 ? node.apply(call) : HandNode.unreachable();
        weir.nodes.get(1).answers = node;
        assertThat(weir.ask(SHORT)).isEqualTo(node.logs(SHORT));
    }

    @Test
    void ifNoNodeAnswersAPieceTheCallFailsAndTheBudgetIsGivenBack() {
        LogRangeFixture weir = new LogRangeFixture(1);
        LogNode node = node().takingBlocks(5, limitedTo(5));
        weir.nodes.get(0).answers = call -> node.answered().size() < 2 ? node.apply(call) : HandNode.unreachable();
        assertThat(weir.ask(SHORT)).isEqualTo("-32603 no upstream could answer: not reachable");
        assertThat(weir.counter("log_ranges", "failed")).isOne();
        assertThat(weir.budget.taken()).isZero();
    }

    @Test
    void fourPiecesAreUnderWayAtOnceAndTheirLogsAreJoinedInOrder() {
        LogRangeFixture weir = new LogRangeFixture(1);
        LogNode node = node().takingBlocks(2, limitedTo(2));
        HandNode slow = weir.nodes.get(0);
        List<RpcReply> replies = weir.send(weir.context(LogRangeFixture.filter(SHORT)));
        slow.asked.get(0).answer(node.apply(slow.asked.get(0).call()));
        assertThat(slow.asked).as("one alone, which tests the length").hasSize(2);
        slow.asked.get(1).answer(node.apply(slow.asked.get(1).call()));
        assertThat(slow.asked).hasSize(6);
        for (int answered = 5; answered >= 2; answered--) {
            slow.asked.get(answered).answer(node.apply(slow.asked.get(answered).call()));
        }
        for (int at = 6; at < slow.asked.size(); at++) {
            slow.asked.get(at).answer(node.apply(slow.asked.get(at).call()));
        }
        assertThat(LogRangeFixture.text(replies)).isEqualTo(node.logs(SHORT));
    }

    @Test
    void aRangeThatNeedsTooManyPiecesGetsTheNodesError() {
        LogRangeFixture weir = new LogRangeFixture(1);
        LogNode node = node().takingBlocks(100, limitedTo(100));
        weir.nodes.get(0).answers = node;
        assertThat(weir.ask(LONG)).isEqualTo("-32614 eth_getLogs is limited to a 100 range");
        assertThat(node.asked()).isOne();
        LogNode full = node().takingLogs(90, asked -> new RpcError(-32602, "query exceeds max results 90", null));
        weir.nodes.get(0).answers = full;
        assertThat(weir.ask(LONG)).isEqualTo("-32602 query exceeds max results 90");
        assertThat(full.asked()).isLessThanOrEqualTo(257);
        assertThat(weir.counter("log_ranges", "refused")).isEqualTo(2);
        assertThat(weir.budget.taken()).isZero();
    }

    @Test
    void aBlockWithTooManyLogsGetsTheNodesError() {
        LogRangeFixture weir = new LogRangeFixture(1);
        weir.nodes.get(0).answers =
                node().takingLogs(0, asked -> new RpcError(-32005, "query returned more than 0 results", null));
        assertThat(weir.ask(SHORT)).isEqualTo("-32000 query returned more than 0 results");
        assertThat(weir.counter("log_ranges", "refused")).isOne();
    }

    @Test
    void aResultThatIsLargerThanAnAnswerOfANodeMayBeGetsTodaysError() {
        LogRangeFixture weir = new LogRangeFixture(1, "upstreams.a.max-response = 4 KiB");
        LogNode node = node().takingBlocks(10, limitedTo(10));
        weir.nodes.get(0).answers = node;
        assertThat(weir.ask(new BlockRange(1, 1_000)))
                .isEqualTo("-32000 the result is larger than this proxy passes on");
        assertThat(node.answered()).hasSizeLessThan(20);
        assertThat(weir.budget.taken()).isZero();
    }

    @Test
    void withoutBudgetForTheLogsTheCallIsShed() {
        LogRangeFixture weir = new LogRangeFixture(1, 1_200);
        weir.nodes.get(0).answers = node().takingBlocks(10, limitedTo(10));
        assertThat(weir.ask(SHORT)).isEqualTo("-32603 overloaded: no room for the answer");
        assertThat(weir.budget.taken()).isZero();
    }

    @Test
    void aFailureOfAStageEndsTheCallAndGivesTheBudgetBack() {
        LogRangeFixture weir = new LogRangeFixture(1);
        LogNode node = node().takingBlocks(5, limitedTo(5));
        weir.nodes.get(0).answers = call -> {
            if (node.answered().size() == 2) {
                throw new IllegalStateException("of this test");
            }
            return node.apply(call);
        };
        assertThat(weir.ask(SHORT)).isEqualTo("-32603 internal error");
        assertThat(weir.budget.taken()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"blockHash\":\"0x1111111111111111111111111111111111111111111111111111111111111111\"}",
                "{\"fromBlock\":\"0x1\",\"toBlock\":\"pending\"}",
                "{\"fromBlock\":\"finalized\",\"toBlock\":\"0x20\"}",
                "{\"fromBlock\":\"0x20\",\"toBlock\":\"0x1\"}",
                "{\"fromBlock\":\"0x20\",\"toBlock\":\"0x20\"}",
                "{}"
            })
    void onlyARangeBetweenNumbersIsCut(String filter) {
        LogRangeFixture weir = new LogRangeFixture(1);
        weir.nodes.get(0).answers = call -> LogNode.error(call, WIDE.of(SHORT));
        assertThat(LogRangeFixture.text(weir.send(weir.context(filter)))).isEqualTo("-32600 block range is too wide");
        assertThat(weir.nodes.get(0).asked).hasSize(1);
        assertThat(weir.counter("log_range", "")).isZero();
    }

    @Test
    void latestIsTheHeadThatTheCallWasHeldTo() {
        LogRangeFixture weir = new LogRangeFixture(1);
        LogNode node = node().takingBlocks(10, limitedTo(10));
        weir.nodes.get(0).answers = call -> String.valueOf(call.params()).contains("latest")
                ? LogNode.error(call, limitedTo(10).of(SHORT))
                : node.apply(call);
        CallContext context = weir.context("{\"fromBlock\":\"0xa\",\"toBlock\":\"latest\"}");
        context.setRoute(context.route().toBlock(29, false));
        assertThat(LogRangeFixture.text(weir.send(context))).isEqualTo(node.logs(SHORT));
        assertThat(node.answered()).containsExactly(new BlockRange(10, 19), new BlockRange(20, 29));
    }

    @Test
    void aRefusalOfAddressesIsPassedOn() {
        LogRangeFixture weir = new LogRangeFixture(1);
        weir.nodes.get(0).answers =
                call -> LogNode.error(call, new RpcError(-32000, "exceed max addresses per search position", null));
        assertThat(weir.ask(SHORT)).isEqualTo("-32000 exceed max addresses per search position");
        assertThat(weir.nodes.get(0).asked).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-32602 | range 300 exceeds limit of 50 | 6",
                "35 | ranges over 50 blocks are not supported on freetier | 6",
                "-32002 | request timed out | 11",
                "-32000 | please ask for less | 2"
            })
    void anErrorOnARangeIsTriedAtHalfOfItBeforeItCounts(int code, String message, int pieces) {
        LogRangeFixture weir = new LogRangeFixture(1);
        LogNode node = node().takingBlocks(50, asked -> new RpcError(code, message, null));
        weir.nodes.get(0).answers = node;
        BlockRange range = new BlockRange(1, code == -32000 ? 100 : 300);
        assertThat(weir.ask(range)).isEqualTo(node.logs(range));
        assertThat(node.answered()).hasSize(pieces);
    }

    @Test
    void anErrorThatHalfOfTheRangeGetsTooIsPassedOn() {
        LogRangeFixture weir = new LogRangeFixture(1);
        LogNode node = node().takingBlocks(0, asked -> new RpcError(-32000, "wondrous words", null));
        weir.nodes.get(0).answers = node;
        assertThat(weir.ask(SHORT)).isEqualTo("-32000 wondrous words");
        assertThat(node.refused()).containsExactly(SHORT, new BlockRange(10, 19));
        assertThat(weir.budget.taken()).isZero();
    }

    private static BlockRange newest(long blocks) {
        return new BlockRange(LogRangeFixture.HEAD - blocks + 1, LogRangeFixture.HEAD);
    }

    @Test
    void logsNearTheHeadAreOfOneChain() {
        LogRangeFixture weir = new LogRangeFixture(1);
        weir.openChain();
        LogNode node = new LogNode(block -> List.of(log(block, weir.blocks.hash(block)))).takingBlocks(5, limitedTo(5));
        weir.nodes.get(0).answers = call -> {
            if (node.answered().size() == 3) {
                weir.reorganise("b");
            }
            return node.apply(call);
        };
        BlockRange range = newest(20);
        assertThat(weir.ask(range)).contains("b" + LogRangeFixture.HEAD).isEqualTo(node.logs(range));
        assertThat(node.answered())
                .as("all of the first time, and all of the second")
                .hasSize(8);
    }

    @Test
    void ifTheChainChangesTwiceTheCallFails() {
        LogRangeFixture weir = new LogRangeFixture(1);
        weir.openChain();
        LogNode node = node().takingBlocks(5, limitedTo(5));
        weir.nodes.get(0).answers = call -> {
            weir.reorganise(String.valueOf("bcdefgh".charAt(node.asked() % 7)));
            return node.apply(call);
        };
        assertThat(weir.ask(newest(20)))
                .isEqualTo("-32603 blocks of the range were replaced while its logs were collected");
        assertThat(weir.counter("log_ranges", "replaced")).isOne();
        assertThat(weir.budget.taken()).isZero();
    }

    @Test
    void aNodeThatIsOnAnotherChainIsNoticedByTheBlocksOfItsLogs() {
        LogRangeFixture weir = new LogRangeFixture(1);
        weir.openChain();
        LogNode other = new LogNode(block -> List.of(log(block, (block == LogRangeFixture.HEAD ? "b" : "a") + block)))
                .takingBlocks(5, limitedTo(5));
        weir.nodes.get(0).answers = other;
        assertThat(weir.ask(newest(20)))
                .isEqualTo("-32603 blocks of the range were replaced while its logs were collected");
    }

    @Test
    void withoutKnowledgeOfTheChainTheNodesErrorIsPassedOn() {
        LogRangeFixture weir = new LogRangeFixture(1);
        weir.finalized.forget();
        LogNode node = node().takingBlocks(5, limitedTo(5));
        weir.nodes.get(0).answers = node;
        assertThat(weir.ask(newest(20))).isEqualTo("-32614 eth_getLogs is limited to a 5 range");
        assertThat(weir.ask(newest(20))).isEqualTo("-32614 eth_getLogs is limited to a 5 range");
        assertThat(node.answered()).isEmpty();
    }

    @Test
    void severalNodesOfOneRangeDoNotAnswerForEachOther() {
        LogRangeFixture weir = new LogRangeFixture(2);
        LogNode node = node().takingBlocks(10, limitedTo(10));
        weir.nodes.get(0).answers = call -> node.answered().isEmpty() ? node.apply(call) : HandNode.unreachable();
        weir.nodes.get(1).answers = node;
        CallContext context = weir.context(LogRangeFixture.filter(SHORT));
        assertThat(LogRangeFixture.text(weir.send(context))).isEqualTo(node.logs(SHORT));
        assertThat(context.trace().joined()).isTrue();
        weir.nodes.get(0).health = Health.DOWN;
        CallContext ofOne = weir.context(LogRangeFixture.filter(SHORT));
        weir.send(ofOne);
        assertThat(ofOne.trace().joined()).isFalse();
        assertThat(ofOne.trace().upstreamId()).isEqualTo("b");
    }

    @Test
    void spaceAroundLogsIsNotKeptAndAnAnswerThatIsNoListFails() {
        LogRangeFixture weir = new LogRangeFixture(1);
        LogNode node = node().takingBlocks(10, limitedTo(10));
        weir.nodes.get(0).answers = call -> {
            var outcome = node.apply(call);
            boolean first = node.answered().size() == 1;
            return node.answered().isEmpty() ? outcome : HandNode.result(first ? "[ \n1 , 2\t]" : "[ ]");
        };
        assertThat(weir.ask(SHORT)).isEqualTo("[1 , 2]");
        weir.nodes.get(0).answers = call -> new Answered(new RpcReply.Result(RawJson.of("{}")));
        assertThat(weir.ask(SHORT)).isEqualTo("-32603 no upstream could answer: no valid answer");
    }
}
