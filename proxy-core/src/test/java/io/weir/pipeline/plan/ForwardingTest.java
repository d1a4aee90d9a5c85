package io.weir.pipeline.plan;

import static io.weir.pipeline.plan.FakePool.failed;
import static io.weir.pipeline.plan.FakePool.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.RequestAnswer;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.Health;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardingTest {

    private final Fixture fixture = new Fixture();

    @Test
    void aResultPassesUnchangedAndNamesItsUpstream() {
        fixture.pool.node("a", result("\"0x1\""));

        RequestAnswer.One answer = answer("eth_blockNumber");

        assertThat(((RpcReply.Result) answer.reply()).value()).hasToString("\"0x1\"");
        assertThat(answer.context().trace().upstreamId()).isEqualTo("a");
        assertThat(answer.context().trace().forwarded()).isTrue();
        assertThat(answer.context().trace().degraded()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"CONNECT", "DISCONNECTED", "TIMEOUT", "RATE_LIMITED", "SERVER_ERROR", "BAD_ANSWER", "OVERLOADED"})
    void aRepeatableCallMovesOnAfterEveryFault(Fault fault) {
        fixture.pool.node("a", failed(fault, Executed.MAYBE)).node("b", result("1"));

        assertThat(answer("eth_getBalance").context().trace().upstreamId()).isEqualTo("b");
        assertThat(counter("failovers")).isEqualTo(1);
    }

    @Test
    void aCallThatMayHaveBeenCarriedOutIsNotSentTwice() {
        fixture.pool.node("a", failed(Fault.TIMEOUT, Executed.MAYBE)).node("b", result("1"));

        RpcReply.Failure failure = failure("eth_sendRawTransaction");

        assertThat(fixture.pool.asked).hasSize(1);
        assertThat(failure.kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(failure.error().code()).isEqualTo(-32603);
    }

    @Test
    void aCallThatCannotHaveBeenCarriedOutMovesOnWhateverItsMethod() {
        fixture.pool.node("a", failed(Fault.CONNECT, Executed.NO)).node("b", result("\"0xabc\""));

        assertThat(answer("eth_sendRawTransaction").context().trace().upstreamId())
                .isEqualTo("b");
        assertThat(fixture.pool.causes).containsExactly(CallCause.CLIENT, CallCause.RETRY);
    }

    @Test
    void anUnknownMethodIsNotRepeated() {
        fixture.pool.node("a", failed(Fault.DISCONNECTED, Executed.MAYBE)).node("b", result("1"));

        assertThat(failure("vendor_doSomething").kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void noNodeIsAskedTwiceForOneCall() {
        fixture.pool
                .node("a", failed(Fault.TIMEOUT, Executed.MAYBE), result("1"))
                .node("b", failed(Fault.TIMEOUT, Executed.MAYBE), result("1"));

        assertThat(failure("eth_call").kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(fixture.pool.asked).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "eth_getLogs, DISCONNECTED, MAYBE, 4",
        "eth_getLogs, SERVER_ERROR, MAYBE, 4",
        "eth_getLogs, TIMEOUT, MAYBE, 20",
        "eth_getLogs, CONNECT, NO, 20",
        "eth_getBalance, DISCONNECTED, MAYBE, 16"
    })
    void aCallThatMayHarmNodesReachesAFewOfThem(String method, Fault fault, Executed executed, int nodes) {
        for (int i = 0; i < 20; i++) {
            fixture.pool.node("node " + i, failed(fault, executed));
        }

        assertThat(failure(method).kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(fixture.pool.asked).hasSize(nodes);
    }

    @Test
    void aBrokenConnectionToTheOnlyNodeIsForgivenOnceWhereTheCallIsRepeatable() {
        fixture.pool.node(
                "a",
                failed(Fault.DISCONNECTED, Executed.MAYBE),
                failed(Fault.DISCONNECTED, Executed.MAYBE),
                result("1"));

        assertThat(failure("eth_call").kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(fixture.pool.asked).hasSize(2);
        assertThat(answer("eth_call").reply()).isInstanceOf(RpcReply.Result.class);
    }

    @Test
    void aStaleConnectionIsFollowedByAFreshOneToTheSameNode() {
        fixture.pool
                .node("a", failed(Fault.STALE_CONNECTION, Executed.MAYBE), result("1"))
                .node("b", result("2"));

        assertThat(answer("eth_call").context().trace().upstreamId()).isEqualTo("a");
        assertThat(fixture.pool.askedAnew).containsExactly("a");
        assertThat(counter("failovers")).isZero();
    }

    @Test
    void eachNodeMayHaveAStaleConnection() {
        fixture.pool
                .node("a", failed(Fault.STALE_CONNECTION, Executed.MAYBE), failed(Fault.CONNECT, Executed.NO))
                .node("b", failed(Fault.STALE_CONNECTION, Executed.MAYBE), result("2"));

        assertThat(answer("eth_call").context().trace().upstreamId()).isEqualTo("b");
        assertThat(fixture.pool.askedAnew).containsExactly("a", "b");
    }

    @Test
    void aTransactionGoesOverAFreshConnectionToEachNode() {
        fixture.pool.node("a", failed(Fault.CONNECT, Executed.NO)).node("b", result("\"0xabc\""));

        answer("eth_sendRawTransaction");

        assertThat(fixture.pool.askedAnew).containsExactly("a", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_call", "vendor_doSomething"})
    void aCallThatSendsNoTransactionMayGoOverAConnectionThatServedBefore(String method) {
        fixture.pool.node("a", result("1"));

        answer(method);

        assertThat(fixture.pool.asked).hasSize(1);
        assertThat(fixture.pool.askedAnew).isEmpty();
    }

    @Test
    void aStaleConnectionToANodeThatIsDownByNowIsNoReasonToAskItAgain() {
        fixture.pool
                .node("a", failed(Fault.STALE_CONNECTION, Executed.MAYBE), result("1"))
                .node("b", result("2"));
        fixture.pool.health = Health.DOWN;

        assertThat(answer("eth_call").context().trace().upstreamId()).isEqualTo("b");
        assertThat(fixture.pool.askedAnew).isEmpty();
    }

    @Test
    void aNodeThatWasDrainedMeanwhileIsNotAskedAgainOverAFreshConnection() {
        fixture.pool
                .node("a", failed(Fault.STALE_CONNECTION, Executed.MAYBE), result("1"))
                .node("b", result("2"));
        fixture.pool.drained = true;

        assertThat(answer("eth_call").context().trace().upstreamId()).isEqualTo("b");
        assertThat(fixture.pool.askedAnew).isEmpty();
    }

    @Test
    void aNodeThatBreaksTheFreshConnectionTooIsNotAskedAThirdTime() {
        fixture.pool.node(
                "a",
                failed(Fault.STALE_CONNECTION, Executed.MAYBE),
                failed(Fault.STALE_CONNECTION, Executed.MAYBE),
                result("1"));

        assertThat(failure("eth_call").kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(fixture.pool.asked).hasSize(2);
    }

    @Test
    void aStaleConnectionIsNotForgivenWhereTheCallMayHaveBeenCarriedOut() {
        fixture.pool
                .node("a", failed(Fault.STALE_CONNECTION, Executed.MAYBE), result("1"))
                .node("b", result("1"));

        assertThat(failure("eth_sendRawTransaction").kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void aBrokenConnectionToTheOnlyNodeIsNotForgivenWhereTheCallMayHaveBeenCarriedOut() {
        fixture.pool.node("a", failed(Fault.DISCONNECTED, Executed.MAYBE), result("1"));

        assertThat(failure("eth_sendRawTransaction").kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void rateLimitsOfEveryUpstreamAreToldAsSuch() {
        fixture.pool
                .node("a", failed(Fault.RATE_LIMITED, Executed.NO))
                .node("b", failed(Fault.RATE_LIMITED, Executed.NO));

        RpcReply.Failure failure = failure("eth_call");

        assertThat(failure.kind()).isEqualTo(FailureKind.RATE_LIMITED);
        assertThat(failure.retryAfterSeconds()).isEqualTo(7);
        assertThat(failure.error().code()).isEqualTo(-32005);
    }

    @Test
    void anEmptyChoiceWhileAllAreThrottledIsARateLimit() {
        fixture.pool.retryAfterSeconds = 3;

        assertThat(failure("eth_call").retryAfterSeconds()).isEqualTo(3);
    }

    @Test
    void aFailureTellsWhenTheFirstOfAllLimitedNodesMayBeAskedAgain() {
        fixture.pool.node("a", failed(Fault.SERVER_ERROR, Executed.MAYBE));
        fixture.pool.retryAfterSeconds = 9;

        RpcReply.Failure failure = failure("eth_call");

        assertThat(failure.kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(failure.retryAfterSeconds()).isEqualTo(9);
    }

    @Test
    void aResultThatIsTooLargeIsNoErrorThatClientsRepeat() {
        fixture.pool.node("a", failed(Fault.TOO_LARGE, Executed.MAYBE)).node("b", result("1"));

        RpcReply.Failure failure = failure("eth_getLogs");

        assertThat(failure.kind()).isEqualTo(FailureKind.ANSWER);
        assertThat(failure.error().code()).isEqualTo(-32000);
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void aCallWhoseAnswerThereIsNoRoomForIsShedAndNotSentToAnotherNode() {
        fixture.pool.node("a", failed(Fault.OVER_BUDGET, Executed.MAYBE)).node("b", result("1"));

        RpcReply.Failure failure = failure("eth_getLogs");

        assertThat(failure.kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(failure.retryAfterSeconds()).isEqualTo(1);
        assertThat(failure.error().code()).isEqualTo(-32603);
        assertThat(failure.error().message()).isEqualTo("overloaded: no room for the answer");
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void callsWaitForTheFirstProbesAndThenGo() {
        fixture.pool.node("a", result("1"));
        fixture.pool.probed = false;

        var answers = fixture.run("eth_call");
        assertThat(answers).isEmpty();
        assertThat(fixture.pool.asked).isEmpty();

        fixture.pool.waitingForProbes.forEach(Runnable::run);
        assertThat(answers).hasSize(1);
    }

    @Test
    void aFailureAfterTheFirstProbesIsAnswered() {
        fixture.pool.node("a", result("1"));
        fixture.pool.failing = true;
        fixture.pool.probed = false;

        var answers = fixture.run("eth_call");
        fixture.pool.waitingForProbes.forEach(Runnable::run);

        RequestAnswer.One answer = (RequestAnswer.One) answers.get(0);
        assertThat(((RpcReply.Failure) answer.reply()).error().message()).isEqualTo("internal error");
    }

    @Test
    void aFailureInTheProxyWhileItTakesAResultIsAnswered() {
        fixture.pool.node("a", result("1")).node("b");
        fixture.pool.failingAfterwards = true;

        assertThat(failure("eth_call").error().message()).isEqualTo("internal error");
    }

    @Test
    void theLeastBadUpstreamMarksTheAnswerAsDegraded() {
        fixture.pool.node("a", result("1"));
        fixture.pool.degraded = true;

        assertThat(answer("eth_call").context().trace().degraded()).isTrue();
        assertThat(counter("degraded")).isEqualTo(1);
    }

    @Test
    void aPoolWithoutUpstreamsIsUnavailable() {
        RequestAnswer.One answer = answer("eth_call");

        assertThat(((RpcReply.Failure) answer.reply()).error().message()).isEqualTo("no usable upstream");
        assertThat(answer.context().trace().forwarded()).isFalse();
        assertThat(counter("failovers")).isZero();
    }

    @Test
    void aPoolOfAnotherChainSaysSo() {
        fixture.pool.node("a", result("1"));
        fixture.pool.health = Health.WRONG_CHAIN;

        assertThat(((RpcReply.Failure) answer("eth_call").reply()).error().message())
                .isEqualTo("no usable upstream: it serves chain 5, not 1");
    }

    private RequestAnswer.One answer(String method) {
        return (RequestAnswer.One) fixture.run(method).get(0);
    }

    private RpcReply.Failure failure(String method) {
        return (RpcReply.Failure) answer(method).reply();
    }

    private long counter(String meter) {
        return fixture.registry.getCounters((name, metric) -> name.startsWith(meter)).values().stream()
                .mapToLong(counter -> counter.getCount())
                .sum();
    }
}
