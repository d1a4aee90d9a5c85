package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.metrics.Meter;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.link.BatchWindow.BatchMemory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures of a batch of eight calls. */
class SplitBatchTest {

    private static final int CALLS = 8;

    private final BatchWindowBench bench = new BatchWindowBench();

    @BeforeEach
    void aBatchIsOut() {
        bench.ask(1 + CALLS);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        assertThat(bench.batchSizes()).containsExactly(CALLS);
        bench.carrier.singles.clear();
        bench.outcomes.clear();
    }

    private void answerSingles() {
        for (int i = 0; i < CALLS; i++) {
            bench.carrier.endSingle(i, BatchWindowBench.ANSWERED);
        }
    }

    private void assertSplit(int maxCallsAfter) {
        assertThat(bench.carrier.singles).hasSize(CALLS);
        assertThat(bench.outcomes).as("nobody is told of the batch").isEmpty();
        assertThat(bench.count(Meter.UPSTREAM_BATCHES_SPLIT)).isEqualTo(1);
        assertThat(bench.memory.maxCalls())
                .as("before a single call is answered")
                .isEqualTo(BatchWindowBench.SIZE);
        answerSingles();
        assertThat(bench.results()).hasSize(CALLS).containsOnly("\"single\"");
        assertThat(bench.memory.maxCalls()).isEqualTo(maxCallsAfter);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200|{\"id\":null,\"error\":{\"code\":-32600,\"message\":\"Invalid request\"}}|1",
                "200|[{\"id\":101,\"error\":{\"code\":-32600,\"message\":\"batch too large\"}}]|4",
                "400|{\"id\":null,\"error\":{\"code\":-32600,\"message\":\"batch requests are disabled\"}}|1",
                "413|{\"id\":null,\"error\":{\"code\":-32014,\"message\":\"over\"}}|4",
                "413|<html>|4",
                "400|Bad Request|1",
                "405|{}|1",
                "200|<html>|1",
                "200|[{\"id\":101,\"result\":1}|1",
                "200|[]|1",
                "200|{\"id\":101,\"result\":1}|1",
                "200|[{\"id\":1,\"result\":1},{\"id\":2,\"result\":1}]|1"
            })
    void aBatchWithoutABatchAnswerIsSentSingly(int status, String body, int maxCallsAfter) {
        bench.batch(0).answer(status, body);
        assertSplit(maxCallsAfter);
    }

    @ParameterizedTest
    @CsvSource({"SERVER_ERROR,1", "BAD_ANSWER,1", "DISCONNECTED,1", "TOO_LARGE,4", "CALL_TOO_LARGE,4"})
    void aBatchThatMayHaveCausedItsFailureIsSentSingly(Fault fault, int maxCallsAfter) {
        bench.batch(0).fail(fault);
        assertSplit(maxCallsAfter);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"CONNECT", "TIMEOUT", "RATE_LIMITED", "CREDENTIALS", "OVERLOADED", "OVER_BUDGET", "CLOSED"})
    void anyOtherFailureIsThatOfEachCall(Fault fault) {
        bench.batch(0).fail(fault);
        assertThat(bench.carrier.singles).isEmpty();
        assertThat(bench.outcomes)
                .hasSize(CALLS)
                .extracting(BatchWindowBench::fault)
                .containsOnly(fault);
        assertThat(bench.memory.maxCalls()).isEqualTo(BatchWindowBench.SIZE);
        assertThat(bench.count(Meter.UPSTREAM_BATCHES_SPLIT)).isZero();
    }

    @Test
    void afterARateLimitTheAnsweredCallsKeepTheirAnswersAndThePauseStays() {
        Failed limited = new Failed(Fault.RATE_LIMITED, Executed.NO, "HTTP 429", 7);
        bench.batch(0)
                .answer(
                        429,
                        "[{\"id\":101,\"result\":1},{\"id\":102,\"error\":{\"code\":3,\"message\":\"execution"
                                + " reverted\"}},{\"id\":103,\"error\":{\"code\":-32005,\"message\":\"slow down\"}}]",
                        limited);
        assertThat(bench.carrier.singles).isEmpty();
        assertThat(bench.outcomes).hasSize(CALLS);
        assertThat(((Answered) bench.outcomes.get(0)).retryAfterSeconds()).isEqualTo(7);
        assertThat(((Answered) bench.outcomes.get(1)).retryAfterSeconds()).isEqualTo(7);
        assertThat(bench.outcomes.subList(2, CALLS))
                .allSatisfy(outcome -> assertThat(((Failed) outcome).fault()).isEqualTo(Fault.RATE_LIMITED));
    }

    @Test
    void afterARateLimitWithoutAnyAnswerEachCallFails() {
        Failed limited = new Failed(Fault.RATE_LIMITED, Executed.NO, "HTTP 429", 7);
        bench.batch(0)
                .answer(
                        429,
                        "[{\"id\":101,\"error\":{\"code\":-32005,\"message\":\"slow\"}},{\"id\":102,\"error\":"
                                + "{\"code\":-32005,\"message\":\"slow\"}}]",
                        limited);
        assertThat(bench.carrier.singles).isEmpty();
        assertThat(bench.outcomes)
                .hasSize(CALLS)
                .allSatisfy(outcome -> assertThat(((Failed) outcome).fault()).isEqualTo(Fault.RATE_LIMITED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rate limit exceeded", "invalid api key"})
    void aRefusalThatIsOfNoBatchReachesEachCallAsAnError(String words) {
        bench.batch(0).answer(200, "{\"id\":null,\"error\":{\"code\":-32600,\"message\":\"" + words + "\"}}");
        assertThat(bench.carrier.singles).isEmpty();
        assertThat(bench.outcomes).hasSize(CALLS);
        assertThat(bench.results()).containsOnly("none");
    }

    @Test
    void ifSingleCallsFailTooTheBatchSizeStays() {
        bench.batch(0).fail(Fault.SERVER_ERROR);
        for (int i = 0; i < CALLS; i++) {
            bench.carrier.endSingle(i, new Failed(Fault.SERVER_ERROR, Executed.MAYBE, "HTTP 500", 0));
        }
        assertThat(bench.outcomes)
                .hasSize(CALLS)
                .extracting(BatchWindowBench::fault)
                .containsOnly(Fault.SERVER_ERROR);
        assertThat(bench.memory.maxCalls()).isEqualTo(BatchWindowBench.SIZE);
    }

    @Test
    void aBatchOnAStaleConnectionIsSentOnceMoreOverAFreshOne() {
        bench.batch(0).fail(Fault.STALE_CONNECTION);
        assertThat(bench.batchSizes()).containsExactly(CALLS, CALLS);
        assertThat(bench.batch(1).anew).isTrue();
        assertThat(bench.batch(1).attempt.batch())
                .isSameAs(bench.batch(0).attempt.batch());
        bench.batch(1).answerAll();
        assertThat(bench.outcomes).hasSize(CALLS);
        assertThat(bench.results()).doesNotContain("none");
    }

    @Test
    void onlyUnansweredCallsAreSentSingly() {
        StringBuilder body = new StringBuilder("[");
        for (int id = 101; id < 101 + CALLS; id++) {
            String error = "\"error\":{\"code\":-32003,\"message\":\"response too large\"}}";
            body.append(id == 101 ? "" : ",").append("{\"id\":" + id + ",");
            body.append(id < 106 ? "\"result\":" + id + "}" : error);
        }
        bench.batch(0).answer(200, body + "]");
        assertThat(bench.results()).containsExactly("101", "102", "103", "104", "105");
        assertThat(bench.carrier.singles).hasSize(3);
        for (int i = 0; i < 3; i++) {
            bench.carrier.endSingle(i, BatchWindowBench.ANSWERED);
        }
        assertThat(bench.outcomes).hasSize(CALLS);
        assertThat(bench.memory.maxCalls()).isEqualTo(CALLS / 2);
    }

    @Test
    void aCallThatWasSentSinglyIsNotSentAgain() {
        bench.pass(20_000);
        assertThat(bench.carrier.singles).as("the batch was late").hasSize(CALLS);
        for (int i = 0; i < CALLS; i++) {
            bench.carrier.endSingle(i, new Failed(Fault.TIMEOUT, Executed.MAYBE, "no answer in time", 0));
        }
        assertThat(bench.outcomes).hasSize(CALLS);
        bench.batch(0).fail(Fault.SERVER_ERROR);
        assertThat(bench.carrier.singles).hasSize(CALLS);
    }

    @Test
    void anUpstreamThatRefusesBatchesGetsNoneForAWhileAndIsTriedAgain() {
        bench.batch(0).answer(400, "no batches");
        answerSingles();
        bench.carrier.singles.clear();
        bench.ask(5);
        assertThat(bench.carrier.singles).as("each at once").hasSize(5);
        for (int i = 0; i < 5; i++) {
            bench.carrier.endSingle(i, BatchWindowBench.ANSWERED);
        }
        bench.ticker.advance(BatchMemory.FIRST_PAUSE_NANOS, TimeUnit.NANOSECONDS);
        bench.carrier.singles.clear();
        bench.ask(3);
        assertThat(bench.batchSizes()).containsExactly(CALLS, 2);
        assertThat(bench.carrier.singles).hasSize(1);
    }

    @Test
    void anUpstreamThatTakesSmallBatchesGetsSmallOnes() {
        bench.batch(0).answer(413, "too much");
        answerSingles();
        bench.ask(1 + 4 + 4);
        assertThat(bench.batchSizes()).containsExactly(CALLS, 4, 4);
    }
}
