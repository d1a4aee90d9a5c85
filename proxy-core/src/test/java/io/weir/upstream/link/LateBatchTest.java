package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.metrics.Meter;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One slow call in a batch. */
class LateBatchTest {

    private static final int CALLS = 5;
    private static final long TIMEOUT_MILLIS = 2_000;

    private final BatchWindowBench bench = new BatchWindowBench();

    /** Sends the first call alone and the others as a batch. */
    private void sendBatch() {
        bench.ask(1 + CALLS);
        bench.pass(BatchWindowBench.WAIT_MILLIS);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        assertThat(bench.batchSizes()).containsExactly(CALLS);
        bench.outcomes.clear();
        bench.carrier.singles.clear();
    }

    @Test
    void theNeighboursOfASlowCallAreAnswered() {
        sendBatch();
        bench.pass(TIMEOUT_MILLIS);
        assertThat(bench.carrier.singles).hasSize(CALLS);
        for (int i = 1; i < CALLS; i++) {
            bench.carrier.endSingle(i, BatchWindowBench.ANSWERED);
        }
        assertThat(bench.results()).hasSize(CALLS - 1).containsOnly("\"single\"");
        bench.carrier.endSingle(0, new Failed(Fault.TIMEOUT, Executed.MAYBE, "no answer in time", 0));
        bench.batch(0).fail(Fault.TIMEOUT);
        assertThat(bench.outcomes).hasSize(CALLS);
        assertThat(counted()).as("failures that the node's health learns from").isEqualTo(1);
        assertThat(bench.count(Meter.UPSTREAM_BATCHES_SPLIT)).isEqualTo(1);
        assertThat(bench.memory.maxCalls()).as("the node takes batches").isEqualTo(BatchWindowBench.SIZE);
    }

    @Test
    void theTimeOfABatchBeginsWhenItIsWritten() {
        bench.carrier.connecting = true;
        bench.ask(1 + CALLS);
        bench.pass(BatchWindowBench.WAIT_MILLIS);
        bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
        bench.carrier.singles.clear();
        bench.pass(TIMEOUT_MILLIS + 500);
        bench.batch(0).write();
        bench.pass(TIMEOUT_MILLIS - 500);
        assertThat(bench.carrier.singles).isEmpty();
        bench.pass(500);
        assertThat(bench.carrier.singles).hasSize(CALLS);
    }

    @Test
    void anAnswerToALateBatchStillCounts() {
        sendBatch();
        bench.pass(TIMEOUT_MILLIS);
        bench.batch(0).answerAll();
        assertThat(bench.outcomes).hasSize(CALLS);
        assertThat(bench.results()).doesNotContain("none", "\"single\"");
        for (int i = 0; i < CALLS; i++) {
            bench.carrier.endSingle(i, BatchWindowBench.ANSWERED);
        }
        assertThat(bench.outcomes).hasSize(CALLS);
    }

    @Test
    void aBatchThatIsAnsweredInTimeIsLeftAlone() {
        sendBatch();
        bench.pass(TIMEOUT_MILLIS - 10);
        bench.batch(0).answerAll();
        bench.pass(TIMEOUT_MILLIS);
        assertThat(bench.carrier.singles).isEmpty();
        assertThat(bench.count(Meter.UPSTREAM_BATCHES_SPLIT)).isZero();
    }

    @Test
    void whileTheNodeAnswersNothingNoOtherBatchIsSentSingly() {
        sendBatch();
        bench.ask(CALLS);
        bench.pass(BatchWindowBench.WAIT_MILLIS);
        assertThat(bench.batchSizes()).containsExactly(CALLS, CALLS);
        bench.pass(2 * TIMEOUT_MILLIS);
        assertThat(bench.carrier.singles).hasSize(CALLS);

        bench.carrier.endSingle(2, BatchWindowBench.ANSWERED);
        assertThat(bench.carrier.singles).as("the node answers: it was a call").hasSize(2 * CALLS);
    }

    @Test
    void aNodeThatAnswersABatchNotAtAllFailsOnceAndNotForEachCall() {
        sendBatch();
        bench.batch(0).fail(Fault.TIMEOUT);
        assertThat(bench.outcomes).hasSize(CALLS);
        assertThat(counted()).isEqualTo(1);
    }

    @Test
    void callsThatABatchDoesNotAnswerAreSentSinglyAndLaterBatchesHaveAsManyAsWereAnswered() {
        sendBatch();
        bench.batch(0).answer(200, "[{\"id\":" + bench.batch(0).ids.get(0) + ",\"result\":1}]");
        assertThat(bench.outcomes).hasSize(1);
        assertThat(bench.carrier.singles).hasSize(CALLS - 1);
        assertThat(counted()).isZero();
    }

    private long counted() {
        List<NodeOutcome> outcomes = bench.outcomes;
        return outcomes.stream()
                .filter(outcome -> outcome instanceof Failed failed && failed.counts())
                .count();
    }
}
