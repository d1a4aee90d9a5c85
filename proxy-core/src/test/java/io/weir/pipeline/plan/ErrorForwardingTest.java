package io.weir.pipeline.plan;

import static io.weir.pipeline.plan.FakePool.error;
import static io.weir.pipeline.plan.FakePool.failed;
import static io.weir.pipeline.plan.FakePool.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.RequestAnswer;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What follows from errors that nodes answer with. */
class ErrorForwardingTest {

    private static final String RECEIPT = "eth_getTransactionReceipt";
    private static final String BALANCE = "eth_getBalance";
    private static final String SEND = "eth_sendRawTransaction";
    private static final RequestItem AT_BLOCK_16 =
            new RpcCall(RawJson.of("1"), BALANCE, RawJson.of("[\"0x" + "0".repeat(40) + "\",\"0x10\"]"));

    private final Fixture fixture = new Fixture();

    @Test
    void anExecutionVerdictIsFinal() {
        fixture.pool
                .node("a", error("eth_call", -32000, "VM Exception while processing transaction: revert no", "\"0x\""))
                .node("b", result("1"));

        RpcReply.Failure failure = failure("eth_call");

        assertThat(failure.error().code()).isEqualTo(3);
        assertThat(failure.error().message()).isEqualTo("execution reverted");
        assertThat(failure.kind()).isEqualTo(FailureKind.ANSWER);
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void aMistakeOfTheClientIsFinal() {
        fixture.pool
                .node("a", error("eth_getLogs", -32602, "invalid block range params"))
                .node("b", result("1"));

        assertThat(failure("eth_getLogs").error().code()).isEqualTo(-32602);
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void anErrorInUnknownWordsIsTriedAtOneOtherNode() {
        fixture.pool
                .node("a", error(BALANCE, -32000, "receipts length mismatch: 1 vs 0"))
                .node("b", result("\"0x1\""));

        assertThat(answer(BALANCE).context().trace().upstreamId()).isEqualTo("b");
    }

    @Test
    void unknownWordsOfTwoNodesArePassedOn() {
        fixture.pool
                .node("a", error(BALANCE, -32000, "wondrous words"))
                .node("b", error(BALANCE, -32000, "wondrous words"))
                .node("c", result("\"0x1\""));

        assertThat(failure(BALANCE).error().message()).isEqualTo("wondrous words");
        assertThat(fixture.pool.asked).hasSize(2);
    }

    @Test
    void unknownWordsOfALoneNodeArePassedOnAtOnce() {
        fixture.pool.node("a", error(BALANCE, -32000, "wondrous words"), result("\"0x1\""));

        assertThat(failure(BALANCE).error().message()).isEqualTo("wondrous words");
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void aVerdictOfTheOtherNodeSaysMoreThanUnknownWords() {
        fixture.pool
                .node("a", error("eth_call", -32000, "wondrous words"))
                .node("b", error("eth_call", 3, "execution reverted", "\"0x\""));

        assertThat(failure("eth_call").error().code()).isEqualTo(3);
    }

    @Test
    void unknownWordsAreFinalForACallWhoseParametersNobodyChecked() {
        fixture.pool.node("a", error("trace_filter", -32000, "wondrous words")).node("b", result("[]"));

        assertThat(failure("trace_filter").error().message()).isEqualTo("wondrous words");
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void ifEveryNodeGaveAnErrorTheLastOneIsPassedOn() {
        fixture.pool.node("a", FakePool.fault("first words")).node("b", FakePool.fault("last words"));

        RpcReply.Failure failure = failure(BALANCE);

        assertThat(failure.error().code()).isEqualTo(-32603);
        assertThat(failure.error().message()).isEqualTo("last words");
        assertThat(failure.kind()).isEqualTo(FailureKind.ANSWER);
    }

    @Test
    void theErrorOfANodeIsNotPassedOnIfAnotherGaveNoAnswer() {
        fixture.pool.node("a", failed(Fault.TIMEOUT, Executed.MAYBE)).node("b", FakePool.fault("its words"));

        assertThat(failure(BALANCE).kind()).isEqualTo(FailureKind.UNAVAILABLE);
    }

    @Test
    void theErrorOfTheNodeThatGotAWriteIsPassedOnToo() {
        fixture.pool.node("a", FakePool.fault("its words")).node("b", result("\"0xabc\""));

        RpcReply.Failure failure = failure(SEND);

        assertThat(failure.error().message()).isEqualTo("its words");
        assertThat(failure.kind()).isEqualTo(FailureKind.ANSWER);
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void anErrorInUnknownWordsUnderTheCodeOfARevertIsTriedAtOneOtherNodeIfTheCallExecutesNothing() {
        fixture.pool.node("a", error(BALANCE, 3, "wondrous words")).node("b", result("\"0x1\""));
        assertThat(answer(BALANCE).context().trace().upstreamId()).isEqualTo("b");

        fixture.pool.nodes.clear();
        fixture.pool.node("a", error("eth_call", 3, "wondrous words")).node("b", result("\"0x\""));
        assertThat(failure("eth_call").error().code()).isEqualTo(3);
    }

    @Test
    void parametersThatWereCheckedHereAndThatANodeRefusesAreTakenToAnother() {
        fixture.pool.node("a", error(BALANCE, -32602, "invalid argument 0")).node("b", result("1"));

        assertThat(answer(BALANCE).context().trace().upstreamId()).isEqualTo("b");
        assertThat(fixture.pool.refused).containsExactly("a");
    }

    @Test
    void aNodeThatAnswersNullToAnythingMakesNoOtherNodeLookWrong() {
        fixture.pool
                .node("a", error("trace_transaction", -32602, "invalid argument 0"))
                .node("b", result("null"));
        answer("trace_transaction");
        assertThat(fixture.pool.refused).isEmpty();

        fixture.pool.nodes.clear();
        fixture.pool
                .node("a", error("trace_transaction", -32000, "missing trie node 8a54"))
                .node("b", result("null"));
        answer("trace_transaction");
        assertThat(fixture.pool.lacking).isEmpty();
    }

    @Test
    void parametersThatEveryNodeRefusesAreInvalid() {
        fixture.pool
                .node("a", error(BALANCE, -32602, "invalid argument 0"))
                .node("b", error(BALANCE, -32602, "no such thing"));

        assertThat(failure(BALANCE).error().code()).isEqualTo(-32602);
        assertThat(fixture.pool.asked).hasSize(2);
        assertThat(fixture.pool.refused).as("nobody took them").isEmpty();
    }

    @Test
    void aRefusalIsFinalOnceTheRepeatsAreUsedUp() {
        fixture.pool.node("a", error(BALANCE, -32602, "invalid argument 0")).node("b", result("\"0x1\""));
        fixture.pool.mayRepeat = false;

        assertThat(failure(BALANCE).error().code()).isEqualTo(-32602);
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void whatComesOfACallSaysMoreThanThatANodeRefusedItsParameters() {
        fixture.pool
                .node("a", error("eth_call", -32602, "invalid argument 0"))
                .node("b", error("eth_call", 3, "execution reverted", "\"0x\""));

        assertThat(failure("eth_call").error().code()).isEqualTo(3);
    }

    @Test
    void parametersThatNobodyCheckedAreANodesToRefuse() {
        fixture.pool
                .node("a", error("trace_filter", -32602, "invalid argument 0"))
                .node("b", result("1"));

        assertThat(failure("trace_filter").error().code()).isEqualTo(-32602);
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void aNullOfANodeThatMayLackTheTransactionIsChecked() {
        fixture.pool
                .node("a", result("null"))
                .node("b", result("{\"logs\":[{\"blockNumber\":\"0x1\"}],\"blockNumber\":\"0x2f\"}"));
        fixture.pool.checking = "b";

        assertThat(answer(RECEIPT).context().trace().upstreamId()).isEqualTo("b");
        assertThat(fixture.pool.missed).containsExactly("a 47");
    }

    @Test
    void aPendingTransactionThatOneNodeLacksSaysNothingOfTheNode() {
        fixture.pool.node("a", result("null")).node("b", result("{\"blockNumber\":null}"));
        fixture.pool.checking = "b";

        assertThat(answer(RECEIPT).context().trace().upstreamId()).isEqualTo("b");
        assertThat(fixture.pool.missed).isEmpty();
    }

    @Test
    void aRawTransactionNamesNoBlockAndSoSaysNothingOfTheNode() {
        fixture.pool.node("a", result("null")).node("b", result("\"0x02f8\""));
        fixture.pool.checking = "b";

        assertThat(answer(RECEIPT).context().trace().upstreamId()).isEqualTo("b");
        assertThat(fixture.pool.missed).isEmpty();
    }

    @Test
    void nullThatTheOtherNodeSaysTooIsNull() {
        fixture.pool.node("a", result("null")).node("b", result("null")).node("c", result("{}"));
        fixture.pool.checking = "b";

        assertThat(((RpcReply.Result) answer(RECEIPT).reply()).value()).hasToString("null");
        assertThat(fixture.pool.asked).hasSize(2);
        assertThat(fixture.pool.missed).isEmpty();
    }

    @Test
    void thePoolLearnsWhichNodesLackAndHaveTheDataOfABlock() {
        NodeOutcome lacking = error(BALANCE, -32000, "missing trie node 8a54");
        fixture.pool.node("a", lacking, lacking).node("b", result("1"), lacking);

        fixture.run(AT_BLOCK_16, Fixture.caller());
        assertThat(fixture.pool.lacking).containsExactly("a 16");
        assertThat(fixture.pool.having).containsExactly("b 16");
    }

    @Test
    void aNodeThatLacksTheDataOfAnUnknownBlockIsOnlyBlamedIfAnotherNodeHasIt() {
        NodeOutcome lacking = error(BALANCE, -32000, "missing trie node 8a54");
        fixture.pool.node("a", lacking, lacking).node("b", lacking, result("1"));

        answer(BALANCE);
        assertThat(fixture.pool.lacking).isEmpty();
        answer(BALANCE);
        assertThat(fixture.pool.lacking).containsExactly("a 0");
    }

    @Test
    void thePoolLearnsWhichNodeFoundATransaction() {
        fixture.pool.node("a", result("1"), result("{}"), result("null")).node("b");

        answer(BALANCE);
        assertThat(fixture.pool.found).isEmpty();
        answer(RECEIPT);
        answer(RECEIPT);
        assertThat(fixture.pool.found).containsExactly("a");
    }

    @Test
    void aNodeThatLacksDataHandsTheCallOn() {
        fixture.pool.node("a", error(BALANCE, -32000, "missing trie node 8a54")).node("b", result("1"));

        assertThat(answer(BALANCE).context().trace().upstreamId()).isEqualTo("b");
    }

    @Test
    void whereAllLackDataTheFirstNodesErrorIsTold() {
        fixture.pool
                .node("a", error(BALANCE, -32000, "header not found"))
                .node("b", error(BALANCE, -32001, "block not found: 0x5"));

        RpcReply.Failure failure = failure(BALANCE);

        assertThat(failure.error().code()).isEqualTo(-32000);
        assertThat(failure.error().message()).isEqualTo("header not found");
        assertThat(fixture.pool.asked).hasSize(2);
    }

    @Test
    void whatANodeSaidOfTheCallIsToldRatherThanThatAnotherCouldNotBeReached() {
        fixture.pool
                .node("a", error(BALANCE, -32000, "header not found"))
                .node("b", failed(Fault.CONNECT, Executed.NO))
                .node("c", failed(Fault.RATE_LIMITED, Executed.NO));

        assertThat(failure(BALANCE).error().message()).isEqualTo("header not found");
    }

    @Test
    void aCallThatMayNotBeRepeatedStaysWhereItLacksDataAndMovesWhereItIsUnsupported() {
        fixture.pool
                .node("a", error("vendor_write", -32000, "header not found"))
                .node("b", result("1"));
        assertThat(failure("vendor_write").error().message()).isEqualTo("header not found");

        fixture.pool.nodes.clear();
        fixture.pool
                .node("a", error("vendor_write", -32601, "method not found"))
                .node("b", result("1"));
        assertThat(answer("vendor_write").context().trace().upstreamId()).isEqualTo("b");
    }

    @Test
    void aMethodThatNoNodeHasDoesNotExist() {
        fixture.pool
                .node("a", error("trace_get", -32004, "Method trace_get is not supported"))
                .node("b", error("trace_get", -32601, "Method not found"));

        RpcReply.Failure failure = failure("trace_get");

        assertThat(failure.error().code()).isEqualTo(-32601);
        assertThat(failure.error().message()).isEqualTo("the method trace_get does not exist/is not available");
        assertThat(failure.kind()).isEqualTo(FailureKind.ANSWER);
    }

    @Test
    void anErrorThatSomethingElseThanTheMethodIsNotSupportedStaysWhatItIs() {
        fixture.pool
                .node("a", error("eth_getLogs", -32000, "pending logs are not supported"))
                .node("b", result("[]"));

        assertThat(failure("eth_getLogs").error().message()).isEqualTo("pending logs are not supported");
        assertThat(fixture.pool.asked).hasSize(1);

        fixture.pool.nodes.clear();
        fixture.pool
                .node("a", error("eth_call", -32603, "state overrides are not supported"))
                .node("b", error("eth_call", -32603, "state overrides are not supported"));
        assertThat(failure("eth_call").error().message()).isEqualTo("state overrides are not supported");
    }

    @Test
    void aMethodThatANodeOutOfReachMayHaveIsNotSaidNotToExist() {
        fixture.pool
                .node("a", error("trace_get", -32601, "Method not found"))
                .node("b", failed(Fault.CONNECT, Executed.NO));

        assertThat(failure("trace_get").kind()).isEqualTo(FailureKind.UNAVAILABLE);
    }

    @Test
    void aTransactionThatOneNodeDoesNotTakeGoesToAnother() {
        fixture.pool.node("a", error(SEND, -32000, "txpool is full")).node("b", result("\"0xabc\""));

        assertThat(answer(SEND).context().trace().upstreamId()).isEqualTo("b");
    }

    @Test
    void aTransactionThatIsKnownGoesNoFurther() {
        fixture.pool.node("a", error(SEND, -32000, "already known")).node("b", result("\"0xabc\""));

        assertThat(failure(SEND).error().message()).isEqualTo("already known");
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void aCallThatOneNodeFindsTooLargeGoesToAnotherAndIsToldAsNoErrorThatClientsRepeat() {
        fixture.pool
                .node("a", failed(Fault.CALL_TOO_LARGE, Executed.NO))
                .node("b", failed(Fault.CALL_TOO_LARGE, Executed.NO));

        RpcReply.Failure failure = failure("eth_getLogs");

        assertThat(failure.error().code()).isEqualTo(-32000);
        assertThat(failure.kind()).isEqualTo(FailureKind.ANSWER);
        assertThat(fixture.pool.asked).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {RECEIPT, "eth_getUncleByBlockHashAndIndex", "eth_getBlockByNumber"})
    void aLookupThatFindsNothingIsNullWhateverTheNodeSays(String method) {
        fixture.pool.node("a", error(method, -32001, "Resource not found")).node("b", result("1"));

        assertThat(((RpcReply.Result) answer(method).reply()).value()).hasToString("null");
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void aLookupThatANodeCannotAnswerYetIsNotNull() {
        fixture.pool.node("a", error(RECEIPT, -32000, "transaction indexing is in progress"));

        assertThat(failure(RECEIPT).error().message()).isEqualTo("transaction indexing is in progress");
    }

    @Test
    void anUnknownBlockOfAStateMethodIsAnError() {
        fixture.pool.node("a", error(BALANCE, -32001, "Resource not found"));

        assertThat(failure(BALANCE).error().code()).isEqualTo(-32001);
    }

    @Test
    void aNodeThatIsNotBehindIsBelievedThatThereIsNothing() {
        fixture.pool.node("a", result("null")).node("b", result("1"));

        assertThat(((RpcReply.Result) answer(RECEIPT).reply()).value()).hasToString("null");
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void whereANodeThatIsBehindFindsNothingOneThatIsAheadIsAsked() {
        fixture.pool.node("a", result("null")).node("b", result("1")).node("c", result("{}"));
        fixture.pool.ahead = "c";

        assertThat(((RpcReply.Result) answer(RECEIPT).reply()).value()).hasToString("{}");
        assertThat(fixture.pool.asked).hasSize(2);
    }

    @Test
    void onlyOneMoreIsAsked() {
        fixture.pool
                .node("a", error(RECEIPT, -32001, "Resource not found"))
                .node("b", result("null"))
                .node("c", result("1"));
        fixture.pool.ahead = "b";

        assertThat(((RpcReply.Result) answer(RECEIPT).reply()).value()).hasToString("null");
        assertThat(fixture.pool.asked).hasSize(2);
    }

    @Test
    void nothingStaysNothingWhereTheOneThatIsAheadFails() {
        fixture.pool
                .node("a", result("null"))
                .node("b", failed(Fault.CONNECT, Executed.NO))
                .node("c", result("1"));
        fixture.pool.ahead = "b";
        assertThat(((RpcReply.Result) answer(RECEIPT).reply()).value()).hasToString("null");

        fixture.pool.nodes.clear();
        fixture.pool.node("a", result("null")).node("b", error(RECEIPT, -32601, "Method not found"));
        assertThat(((RpcReply.Result) answer(RECEIPT).reply()).value()).hasToString("null");
    }

    @Test
    void nothingIsCheckedAtAThirdNodeWhereTheOneThatIsAheadFails() {
        fixture.pool
                .node("a", result("null"))
                .node("b", failed(Fault.CONNECT, Executed.NO))
                .node("c", result("{\"blockNumber\":\"0x2f\"}"));
        fixture.pool.ahead = "b";
        fixture.pool.checking = "c";

        assertThat(answer(RECEIPT).context().trace().upstreamId()).isEqualTo("c");
    }

    @Test
    void aFailureAfterWhichNoNodeIsAskedIsNotChecked() {
        fixture.pool.node("a", failed(Fault.TOO_LARGE, Executed.MAYBE)).node("b", result("{}"));
        fixture.pool.checking = "b";

        assertThat(failure(RECEIPT).error().message()).contains("larger");
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void aLookupByNumberIsNotAskedAgain() {
        fixture.pool.node("a", result("null")).node("b", result("1"));
        fixture.pool.ahead = "b";

        assertThat(((RpcReply.Result) answer("eth_getBlockByNumber").reply()).value())
                .hasToString("null");
        assertThat(fixture.pool.asked).hasSize(1);
    }

    private RequestAnswer.One answer(String method) {
        return (RequestAnswer.One) fixture.run(method).get(0);
    }

    private RpcReply.Failure failure(String method) {
        return (RpcReply.Failure) answer(method).reply();
    }
}
