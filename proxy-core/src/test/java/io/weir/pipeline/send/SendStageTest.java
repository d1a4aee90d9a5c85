package io.weir.pipeline.send;

import static io.weir.pipeline.HandNode.error;
import static io.weir.pipeline.HandNode.result;
import static io.weir.pipeline.HandNode.timeout;
import static io.weir.pipeline.HandNode.unreachable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.ethereum.Hex;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.HandPool;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SendStageTest {

    private static final String METHOD = "eth_sendRawTransaction";

    private static final Transaction TRANSACTION = SignedTransactions.payment(TransactionType.DYNAMIC_FEE, 3);
    private static final String PARAMS = "[\"" + Hex.encode(TRANSACTION.encoded()) + "\"]";
    private static final String HASH = '"' + TRANSACTION.hash().hex() + '"';
    private static final String OTHER_HASH = "\"0x" + "ab".repeat(32) + '"';
    private static final String SEND = "eth_sendRawTransaction" + PARAMS;
    private static final String LOOKUP = "eth_getTransactionByHash[" + HASH + "]";

    private final HandPool pool = new HandPool();
    private SendStage stage = stage("1");

    private SendStage stage(String broadcast) {
        return new SendStage(
                NetworkSettings.of("net", "transactions.broadcast = " + broadcast),
                pool,
                pool.forwarding(),
                pool.meters(),
                null);
    }

    @Test
    void theHashOfTheNodeThatAcceptsPasses() {
        pool.a.answering(result(HASH));
        assertThat(sent()).isEqualTo(HASH);
        assertThat(pool.a.texts()).containsExactly(SEND);
        assertThat(pool.b.asked).isEmpty();
        assertThat(counted("accepted")).isEqualTo(1);
    }

    @Test
    void aNodeThatTakesNoConnectionPassesItOnToAnother() {
        pool.a.answering(unreachable());
        pool.b.answering(result(HASH));
        assertThat(sent()).isEqualTo(HASH);
        assertThat(pool.a.texts()).containsExactly(SEND);
        assertThat(pool.b.texts()).containsExactly(SEND);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"TIMEOUT", "DISCONNECTED", "STALE_CONNECTION", "INTERRUPTED", "SERVER_ERROR", "BAD_ANSWER"})
    void afterAnAttemptThatMayHaveBeenTakenItIsLookedUpAndNotSentAgain(Fault fault) {
        pool.a.answers = call ->
                isLookup(call) ? result("null") : new NodeOutcome.Failed(fault, Executed.MAYBE, "as laid down", 0);
        pool.b.answers = call -> isLookup(call) ? result("{\"hash\":" + HASH + "}") : result(HASH);
        assertThat(sent()).isEqualTo(HASH);
        assertThat(pool.a.texts()).containsExactly(SEND, LOOKUP);
        assertThat(pool.b.texts()).containsExactly(LOOKUP);
        assertThat(counted("found")).isEqualTo(1);
    }

    @Test
    void aNodeThatStillTakesItInIsAskedAgainAfterAPause() {
        pool.a.answers = call -> isLookup(call) ? result("null") : timeout();
        pool.b.answering(result("null"));
        List<RpcReply> replies = pool.send(stage, "k", METHOD, PARAMS);
        assertThat(replies).isEmpty();
        pool.b.answering(result("{\"hash\":" + HASH + "}"));
        await().until(() -> {
            pool.runLoop();
            return !replies.isEmpty();
        });
        assertThat(replies).extracting(SendStageTest::text).containsExactly(HASH);
        assertThat(pool.a.texts()).filteredOn(SEND::equals).hasSize(1);
        assertThat(pool.b.texts()).doesNotContain(SEND);
    }

    @Test
    void anUnknownOutcomeIsToldWithTheHashAndIsNoErrorThatClientsRepeat() {
        pool.a.answers = call -> isLookup(call) ? result("null") : timeout();
        pool.b.answering(result("null"));
        RpcReply.Failure failure = searchedInVain();
        assertThat(failure.kind()).isEqualTo(FailureKind.ANSWER);
        assertThat(failure.error().code()).isEqualTo(-32000);
        assertThat(failure.error().message())
                .isEqualTo("it is unknown whether transaction " + HASH.replace("\"", "")
                        + " was sent: look it up before you send it again"
                        + " (no upstream could answer: no answer in time)");
        assertThat(failure.error().data()).hasToString(HASH);
        assertThat(pool.b.texts()).doesNotContain(SEND);
        assertThat(counted("uncertain")).isEqualTo(1);
    }

    @Test
    void anUnknownOutcomeIsToldWithTheWordsOfTheNode() {
        RpcReply.Failure said = RpcReply.failure(new RpcError(-32603, "disk full", null));
        pool.a.answers = call -> isLookup(call)
                ? result("null")
                : new NodeOutcome.Failed(Fault.SERVER_ERROR, Executed.MAYBE, "error -32603", 0, null, true, said);
        pool.b.answering(result("null"));
        assertThat(searchedInVain().error().message())
                .startsWith("it is unknown whether")
                .endsWith("(disk full)");
    }

    private RpcReply.Failure searchedInVain() {
        List<RpcReply> replies = pool.send(stage, pool.context("k", METHOD, PARAMS, 400));
        await().until(() -> {
            pool.runLoop();
            return !replies.isEmpty();
        });
        return (RpcReply.Failure) replies.get(0);
    }

    private static boolean isLookup(RpcCall call) {
        return call.method().equals("eth_getTransactionByHash");
    }

    @Test
    void aNodeThatHasItAlreadyHasTakenIt() {
        pool.a.answering(unreachable());
        pool.b.answering(error("already known"));
        assertThat(sent()).isEqualTo(HASH);
        assertThat(counted("known")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonce too low", "replacement transaction underpriced"})
    void aTakenNonceIsAnsweredWithTheHashWhereTheNodeHasThisVeryTransaction(String message) {
        pool.a.answers = call -> call.method().equals("eth_getTransactionByHash")
                ? result("{\"hash\":" + HASH + "}")
                : error(-32003, message);
        assertThat(sent()).isEqualTo(HASH);
        assertThat(pool.a.texts()).containsExactly(SEND, LOOKUP);
        assertThat(pool.b.asked).isEmpty();
        assertThat(counted("found")).isEqualTo(1);
    }

    @Test
    void aNonceTakenByAnotherTransactionIsTheNodesOwnError() {
        pool.a.answers = call ->
                call.method().equals("eth_getTransactionByHash") ? result("null") : error(-32003, "nonce too low");
        assertThat(sent()).isEqualTo("-32003 nonce too low");
        assertThat(counted("refused")).isEqualTo(1);
    }

    @Test
    void aNodeThatAcceptedItBeforeItFellSilentIsAskedToo() {
        stage = stage("2");
        pool.a.answers = call -> isLookup(call) ? result("{\"hash\":" + HASH + "}") : timeout();
        pool.b.answers = call -> isLookup(call) ? result("null") : error("replacement transaction underpriced");
        assertThat(sent()).isEqualTo(HASH);
    }

    @Test
    void aLookupThatFailsLeavesTheNodesError() {
        pool.a.answers =
                call -> call.method().equals("eth_getTransactionByHash") ? timeout() : error(-32003, "nonce too low");
        assertThat(sent()).isEqualTo("-32003 nonce too low");
    }

    @Test
    void anyOtherErrorIsTheNodesOwn() {
        pool.a.answering(error(-32003, "insufficient funds for gas * price + value"));
        assertThat(sent()).isEqualTo("-32003 insufficient funds for gas * price + value");
        assertThat(pool.a.texts()).containsExactly(SEND);
    }

    @Test
    void ifNoNodeCanHaveTakenItTheClientMaySendItAgain() {
        pool.a.answering(unreachable());
        pool.b.answering(unreachable());
        assertThat(((RpcReply.Failure) reply()).kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(counted("unanswered")).isEqualTo(1);

        pool.b.answering(result(HASH));
        assertThat(sent()).isEqualTo(HASH);
    }

    @Test
    void anotherHashIsNoAnswerAndAnotherNodeIsAsked() {
        pool.a.answering(result(OTHER_HASH));
        pool.b.answering(result(HASH));
        assertThat(sent()).isEqualTo(HASH);
        assertThat(pool.a.refuted).containsExactly("FALSE_HASH costs: another hash than the transaction's own");
        assertThat(pool.b.refuted).isEmpty();
        assertThat(counted("accepted")).isEqualTo(1);
    }

    @Test
    void ifEveryNodeSaysAnotherHashTheClientGetsTheRightOneAndNoNodeSuffers() {
        pool.a.answering(result(OTHER_HASH));
        pool.b.answering(result(OTHER_HASH));
        assertThat(sent()).isEqualTo(HASH);
        assertThat(pool.a.texts()).containsExactly(SEND);
        assertThat(pool.b.texts()).containsExactly(SEND);
        assertThat(pool.a.refuted).containsExactly("FALSE_HASH counts: another hash than the transaction's own");
        assertThat(counted("other_hash")).isEqualTo(1);
    }

    @Test
    void afterAnotherHashTheRefusalOfTheNextNodeCounts() {
        pool.a.answering(result(OTHER_HASH));
        pool.b.answering(error(-32000, "insufficient funds for gas * price + value"));
        assertThat(sent()).isEqualTo("-32000 insufficient funds for gas * price + value");
        assertThat(counted("refused")).isEqualTo(1);
    }

    @Test
    void aRefusedTransactionIsShownNoMore() {
        pool.a.answering(result(HASH));
        sent();
        assertThat(accepted()).isTrue();
        pool.a.answering(error(-32000, "nonce too low"));
        pool.b.answering(result("null"));
        sent();
        assertThat(accepted()).as("it may have been mined").isTrue();
        pool.a.answering(error(-32000, "insufficient funds for gas * price + value"));
        sent();
        assertThat(accepted()).isFalse();
    }

    @Test
    void whatOneNodeAcceptedIsStillShownWhenAnotherRefusesIt() {
        pool.a.answering(result(HASH));
        sent();
        pool.a.health = Health.DOWN;
        pool.b.answering(error(-32000, "insufficient funds for gas * price + value"));
        assertThat(sent()).startsWith("-32000 insufficient funds");
        assertThat(accepted()).isTrue();
    }

    private boolean accepted() {
        return stage.accepted().find(TRANSACTION.hash()) != null;
    }

    @Test
    void theHashInCapitalsIsTheSameHash() {
        pool.a.answering(result(HASH.toUpperCase(Locale.ROOT).replace("0X", "0x")));
        assertThat(sent()).isEqualTo(HASH);
        assertThat(counted("accepted")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|missing",
                "{\"tx\":\"0x02\"}|missing",
                "[null]|null",
                "[1]|1",
                "[\"02c0\"]|\"02c0\"",
                "[\"0xzz\"]|\"0xzz\"",
                "[\"0x02c\"]|\"0x02c\"",
            })
    void parametersThatAreNotHexDataAreRefused(String params, String shown) {
        assertThat(text(pool.send(stage, "k", METHOD, params).get(0)))
                .isEqualTo("-32602 params[0]: " + shown + " (expected: a signed transaction in hex)");
        assertThat(pool.a.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"0x\"]", "[\"0x71c0\"]", "[\"0x02c0\"]", "[\"0xdeadbeef\"]"})
    void anUndecodableTransactionIsForwardedOnce(String params) {
        pool.a.answering(timeout());
        RpcReply reply = pool.send(stage, "k", METHOD, params).get(0);
        assertThat(((RpcReply.Failure) reply).kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(pool.a.texts()).containsExactly("eth_sendRawTransaction" + params);
        assertThat(pool.b.asked).isEmpty();
        assertThat(counted("unknown_hash")).isEqualTo(1);
    }

    @Test
    void aBroadcastIsAnsweredAsSoonAsOneNodeAccepts() {
        stage = stage("all");
        List<RpcReply> replies = pool.send(stage, "k", METHOD, PARAMS);
        assertThat(pool.a.texts()).containsExactly(SEND);
        assertThat(pool.b.texts()).containsExactly(SEND);
        assertThat(replies).isEmpty();

        pool.b.asked.get(0).answer(result(HASH));
        assertThat(replies).hasSize(1);
        pool.a.asked.get(0).answer(error("already known"));
        assertThat(replies).extracting(SendStageTest::text).containsExactly(HASH);
    }

    @Test
    void aRefusalOfABroadcastWaitsForTheOthers() {
        stage = stage("2");
        List<RpcReply> replies = pool.send(stage, "k", METHOD, PARAMS);
        pool.a.asked.get(0).answer(error("insufficient funds"));
        assertThat(replies).isEmpty();
        pool.b.asked.get(0).answer(result(HASH));
        assertThat(replies).extracting(SendStageTest::text).containsExactly(HASH);
    }

    @Test
    void aRefusalOfABroadcastIsToldWithTheUnknownOutcomeAtASilentNode() {
        stage = stage("2");
        pool.a.answering(timeout());
        pool.b.answering(error(-32000, "nonce too low"));
        List<RpcReply> replies = pool.send(stage, pool.context("k", METHOD, PARAMS, 400));
        await().until(() -> {
            pool.runLoop();
            return !replies.isEmpty();
        });
        assertThat(text(replies.get(0))).contains("it is unknown whether transaction", "(nonce too low)");
        assertThat(pool.a.texts()).filteredOn(SEND::equals).hasSize(1);
        assertThat(pool.b.texts())
                .filteredOn(SEND::equals)
                .as("asked by one path alone")
                .hasSize(1);
    }

    @Test
    void theSameTransactionUnderWayIsJoined() {
        List<RpcReply> first = pool.send(stage, "k", METHOD, PARAMS);
        List<RpcReply> second = pool.send(
                stage,
                "other",
                METHOD,
                PARAMS.toUpperCase(java.util.Locale.ROOT).replace("0X", "0x"));
        assertThat(pool.a.asked).hasSize(1);

        pool.a.asked.get(0).answer(result(HASH));
        pool.runLoop();
        assertThat(first).extracting(SendStageTest::text).containsExactly(HASH);
        assertThat(second).extracting(SendStageTest::text).containsExactly(HASH);
        assertThat(counted("coalesced")).isEqualTo(1);

        pool.send(stage, "k", METHOD, PARAMS);
        assertThat(pool.a.asked).as("nothing is under way any more").hasSize(2);
    }

    @Test
    void anotherTransactionIsNotJoined() {
        pool.send(stage, "k", METHOD, PARAMS);
        Transaction another = SignedTransactions.payment(TransactionType.DYNAMIC_FEE, 4);
        pool.send(stage, "k", METHOD, "[\"" + Hex.encode(another.encoded()) + "\"]");
        assertThat(pool.a.asked).hasSize(2);
    }

    @Test
    void aCallWithLessTimeDoesNotWaitForOneWithMore() {
        pool.send(stage, pool.context("k", METHOD, PARAMS, 10_000));
        pool.send(stage, pool.context("k", METHOD, PARAMS, 5_000));
        assertThat(pool.a.asked).hasSize(2);
    }

    @Test
    void aCallWithTimeLeftGoesOnByItselfWhereTheOneThatItJoinedHadNone() {
        List<RpcReply> first = pool.send(stage, pool.context("k", METHOD, PARAMS, 1_500));
        List<RpcReply> second = pool.send(stage, pool.context("k", METHOD, PARAMS, 60_000));
        long began = System.nanoTime();
        await().until(() -> System.nanoTime() - began > 1_510_000_000L);
        pool.a.asked.get(0).answer(unreachable());
        pool.runLoop();
        assertThat(((RpcReply.Failure) first.get(0)).kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(second).isEmpty();

        pool.a.asked.get(1).answer(result(HASH));
        assertThat(second).extracting(SendStageTest::text).containsExactly(HASH);
    }

    @Test
    void theOnlyNodeDoesNotGetItAgainAfterABrokenConnection() {
        pool.nodes.remove(pool.b);
        pool.a.answers = call -> isLookup(call)
                ? result("{\"hash\":" + HASH + "}")
                : new NodeOutcome.Failed(Fault.DISCONNECTED, Executed.MAYBE, "as laid down", 0);
        assertThat(sent()).isEqualTo(HASH);
        assertThat(pool.a.texts()).containsExactly(SEND, LOOKUP);
    }

    private RpcReply reply() {
        return pool.send(stage, "k", METHOD, PARAMS).get(0);
    }

    private String sent() {
        return text(reply());
    }

    private long counted(String outcome) {
        return pool.counter("transactions", outcome);
    }

    private static String text(RpcReply reply) {
        return reply instanceof RpcReply.Failure failure
                ? failure.error().code() + " " + failure.error().message()
                : ((RpcReply.Result) reply).value().toString();
    }
}
