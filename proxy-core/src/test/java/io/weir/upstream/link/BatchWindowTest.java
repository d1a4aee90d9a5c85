package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times at which calls are sent, and the end of each. */
class BatchWindowTest {

    private final BatchWindowBench bench = new BatchWindowBench();

    /** Returns how many requests are in flight after three calls of this method. */
    private int outOfThree(String method) {
        for (int i = 0; i < 3; i++) {
            bench.ask(new RpcCall(null, method, null), 10_000);
        }
        return bench.carrier.singles.size();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_getTransactionReceipt",
                "eth_getBlockReceipts",
                "eth_getBlockByNumber",
                "eth_getBalance",
                "eth_getStorageAt",
                "eth_chainId"
            })
    void lookupsAreBatched(String method) {
        assertThat(outOfThree(method)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eth_sendRawTransaction",
                "eth_sendTransaction",
                "eth_newFilter",
                "eth_getFilterChanges",
                "eth_call",
                "eth_estimateGas",
                "eth_getLogs",
                "eth_getProof",
                "debug_traceTransaction",
                "trace_get",
                "txpool_content",
                "admin_peers",
                "vendor_unknown"
            })
    void writesAndSlowAndUnknownMethodsAreNeverBatched(String method) {
        assertThat(outOfThree(method)).isEqualTo(3);
    }

    @Test
    void aCallThatIsGivenUpLeavesTheWindow() {
        bench.ask(3);
        Attempt given = bench.askCancellable();
        bench.ask(1);
        given.cancel();
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        assertThat(bench.batchSizes()).containsExactly(3);
        bench.batch(0).answerAll();
        assertThat(bench.outcomes).hasSize(4);
    }

    @Test
    void aCallThatIsAloneInTheWindowIsGivenUpLikeAnyOther() {
        bench.ask(1);
        Attempt given = bench.askCancellable();
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        assertThat(bench.carrier.singles).hasSize(2);
        given.cancel();
        assertThat(bench.carrier.givenUp).isOne();
        assertThat(bench.outcomes).hasSize(1);
    }

    @Test
    void aCallThatIsGivenUpLeavesABatchThatWaitsForAConnection() {
        bench.carrier.connecting = true;
        bench.ask(3);
        Attempt given = bench.askCancellable();
        bench.ask(1);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        given.cancel();
        bench.batch(0).write();
        assertThat(bench.batch(0).size()).isEqualTo(3);
        bench.batch(0).answerAll();
        assertThat(bench.results()).containsExactly("\"single\"", "101", "102", "103");
    }

    @Test
    void aLoneCallThatIsGivenUpNoLongerHoldsTheOthersBack() {
        Attempt given = bench.askCancellable();
        bench.ask(2);
        assertThat(bench.carrier.batches).isEmpty();
        given.cancel();
        assertThat(bench.carrier.givenUp).isOne();
        assertThat(bench.batchSizes()).containsExactly(2);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        assertThat(bench.outcomes).isEmpty();
    }

    @Test
    void aLoneCallLeavesBeforeAskingReturns() {
        bench.ask(1);
        assertThat(bench.carrier.singles).hasSize(1);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        bench.ask(1);
        assertThat(bench.carrier.singles).hasSize(2);
        assertThat(bench.carrier.batches).isEmpty();
        assertThat(bench.count(Meter.UPSTREAM_BATCHES)).isZero();
    }

    @Test
    void callsAreBatchedWhileARequestIsInFlightAndSentWhenItReturns() {
        bench.ask(5);
        assertThat(bench.carrier.singles).hasSize(1);
        assertThat(bench.carrier.batches).isEmpty();
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        assertThat(bench.batchSizes()).containsExactly(4);
        bench.ask(3);
        bench.batch(0).answerAll();
        assertThat(bench.batchSizes()).containsExactly(4, 3);
        assertThat(bench.count(Meter.UPSTREAM_BATCHES)).isEqualTo(2);
        assertThat(bench.count(Meter.UPSTREAM_BATCHED_CALLS)).isEqualTo(7);
    }

    @Test
    void aBatchIsSentForWhomeverHasTheFewestCallsInIt() {
        bench.ask(1);
        bench.askFor("many", 4);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        bench.askFor("many", 4);
        bench.askFor("few", 1);
        bench.askFor("many", 2);
        bench.batch(0).answerAll();
        assertThat(bench.batchSizes()).containsExactly(4, 7);
        assertThat(bench.batch(0).attempt.holder()).isEqualTo("many");
        assertThat(bench.batch(1).attempt.holder()).isEqualTo("few");
    }

    @Test
    void answersReachTheirOwnCallsWhateverTheirOrder() {
        bench.ask(4);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        bench.batch(0).answerAll();
        assertThat(bench.results()).containsExactly("\"single\"", "101", "102", "103");
    }

    @Test
    void aPartOfAnAnswerDoesNotHoldTheWholeOne() {
        bench.ask(3);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        bench.batch(0)
                .answer(
                        200,
                        "[{\"id\":101,\"result\":[1,2]},{\"id\":102,\"error\":{\"code\":3,\"message\":\"execution"
                                + " reverted\",\"data\":\"0x\"}}]");
        RpcReply.Result result = (RpcReply.Result) ((Answered) bench.outcomes.get(1)).reply();
        assertThat(result.value().array()).hasSize("[1,2]".length());
        RpcReply.Failure failure = (RpcReply.Failure) ((Answered) bench.outcomes.get(2)).reply();
        assertThat(failure.error().data().array()).hasSize("\"0x\"".length());
    }

    @Test
    void aBatchLeavesWhenItIsFullThoughRequestsAreOut() {
        bench.ask(1 + 2 * BatchWindowBench.SIZE + 3);
        assertThat(bench.batchSizes()).containsExactly(BatchWindowBench.SIZE, BatchWindowBench.SIZE);
        assertThat(bench.carrier.singles).hasSize(1);
    }

    @Test
    void callsLeaveWhenTheFirstOfThemHasWaitedLongEnough() {
        bench.ask(2);
        bench.pass(BatchWindowBench.WAIT_MILLIS - 5);
        bench.ask(2);
        assertThat(bench.carrier.batches).isEmpty();
        bench.pass(5);
        assertThat(bench.batchSizes()).containsExactly(3);
        bench.ask(2);
        bench.pass(BatchWindowBench.WAIT_MILLIS - 5);
        assertThat(bench.batchSizes()).containsExactly(3);
        bench.pass(5);
        assertThat(bench.batchSizes()).containsExactly(3, 2);
    }

    @Test
    void aBatchLeavesBeforeItWouldBeTooLarge() {
        bench.ask(1);
        for (int i = 0; i < 5; i++) {
            bench.ask(BatchWindowBench.call(100_000), 10_000);
        }
        assertThat(bench.batchSizes()).containsExactly(2, 2);
    }

    @Test
    void aCallThatIsLargerThanABatchMayBeLeavesAlone() {
        bench.ask(1);
        bench.ask(BatchWindowBench.call(300_000), 10_000);
        assertThat(bench.carrier.singles).hasSize(2);
    }

    @Test
    void aWindowWithOneCallSendsASingleRequest() {
        bench.ask(2);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        assertThat(bench.carrier.singles).hasSize(2);
        assertThat(bench.carrier.batches).isEmpty();
        bench.carrier.endSingle(1, BatchWindowBench.ANSWERED);
        assertThat(bench.results()).containsExactly("\"single\"", "\"single\"");
    }

    @Test
    void aCallWhoseTimeIsUpWhileItWaitsLeavesWithoutHarm() {
        bench.ask(1);
        bench.ask(BatchWindowBench.call(2), 10);
        bench.ask(2);
        bench.pass(15);
        assertThat(bench.outcomes).singleElement().satisfies(outcome -> {
            assertThat(BatchWindowBench.fault(outcome)).isEqualTo(Fault.TIMEOUT);
            assertThat(((Failed) outcome).executed()).isEqualTo(Executed.NO);
        });
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        bench.batch(0).answerAll();
        assertThat(bench.results()).containsExactly("none", "\"single\"", "101", "102");
    }

    @Test
    void aCallThatTimesOutInABatchEndsAloneAndItsLateAnswerIsIgnored() {
        bench.ask(1);
        bench.ask(BatchWindowBench.call(2), 100);
        bench.ask(1);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        bench.pass(200);
        assertThat(bench.results()).containsExactly("\"single\"", "none");
        assertThat(((Failed) bench.outcomes.get(1)).executed()).isEqualTo(Executed.MAYBE);
        bench.batch(0).answerAll();
        assertThat(bench.results()).containsExactly("\"single\"", "none", "102");
    }

    @Test
    void aBatchIsWaitedForUntilTheLastOfItsCallsGivesUp() {
        bench.ask(1);
        bench.ask(BatchWindowBench.call(2), 10_000);
        long before = System.nanoTime();
        bench.ask(BatchWindowBench.call(2), 30_000);
        long after = System.nanoTime();
        bench.ask(BatchWindowBench.call(2), 20_000);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        long deadline = bench.batch(0).deadlineNanos - TimeUnit.SECONDS.toNanos(30);
        assertThat(deadline - before).isBetween(0L, after - before);
    }

    @Test
    void afterCloseEachCallFails() {
        bench.ask(4);
        bench.carrier.refuses = true;
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        assertThat(bench.outcomes).hasSize(4);
        assertThat(bench.outcomes.stream().filter(Failed.class::isInstance).map(BatchWindowBench::fault))
                .containsExactlyElementsOf(Collections.nCopies(3, Fault.OVERLOADED));
        bench.carrier.refuses = false;
        bench.ask(1);
        assertThat(bench.carrier.singles).as("nothing is out any more").hasSize(2);
    }

    @Test
    void callsThatWaitFailWhenConnectionsAreForgottenOrClosed() {
        bench.ask(3);
        bench.window.failUnsent();
        assertThat(bench.outcomes).hasSize(2).allSatisfy(outcome -> {
            assertThat(BatchWindowBench.fault(outcome)).isEqualTo(Fault.CONNECT);
            assertThat(((Failed) outcome).executed()).isEqualTo(Executed.NO);
        });
        bench.ask(2);
        bench.window.close();
        assertThat(bench.outcomes.subList(2, 4))
                .extracting(BatchWindowBench::fault)
                .containsOnly(Fault.CLOSED);
        bench.pass(BatchWindowBench.WAIT_MILLIS);
        assertThat(bench.carrier.batches).isEmpty();
    }

    @Test
    void aTakerThatFailsHarmsNoOther() {
        bench.ask(1);
        Attempt failing = Attempt.of(outcome -> {
            throw new IllegalStateException("a taker's own");
        });
        bench.send(BatchWindowBench.call(2), System.nanoTime() + 10_000_000_000L, failing);
        bench.ask(1);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        bench.batch(0).answerAll();
        assertThat(bench.results()).containsExactly("\"single\"", "102");
    }

    @Test
    void noOutcomeComesTwice() {
        bench.ask(4);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        bench.batch(0).answerAll();
        bench.pass(20_000);
        NodeOutcome[] seen = bench.outcomes.toArray(NodeOutcome[]::new);
        assertThat(seen).hasSize(4).allMatch(Answered.class::isInstance);
    }
}
