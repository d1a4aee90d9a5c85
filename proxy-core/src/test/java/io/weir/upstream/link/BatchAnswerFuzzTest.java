package io.weir.upstream.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.weir.upstream.NodeOutcome;
import java.util.List;

/** Whatever a node answers to a batch, each of its calls ends once with its own part. */
class BatchAnswerFuzzTest {

    private static final int CALLS = 3;
    private static final int[] STATUSES = {200, 400, 413};

    @FuzzTest(maxDuration = "15s")
    void eachCallEndsOnce(byte[] body) {
        for (int status : STATUSES) {
            // Its calls have the ids 101 to 103.
            BatchWindowBench bench = new BatchWindowBench().ask(1 + CALLS);
            bench.carrier.endSingle(0, BatchWindowBench.ANSWERED);
            bench.batch(0).answer(status, body.clone());
            List<FakeCarrier.Asked> singles = bench.carrier.singles;
            assertThat(bench.outcomes).hasSize(1 + CALLS - (singles.size() - 1));
            singles.subList(1, singles.size())
                    .forEach(single -> single.attempt().end(BatchWindowBench.ANSWERED));
            assertThat(bench.outcomes).hasSize(1 + CALLS);
            bench.pass(20_000);
            assertThat(bench.outcomes).hasSize(1 + CALLS);
            for (NodeOutcome outcome : bench.outcomes) {
                AnsweredCall.assertStandsInAnEnvelope(outcome);
            }
            bench.channel.finishAndReleaseAll();
        }
    }
}
