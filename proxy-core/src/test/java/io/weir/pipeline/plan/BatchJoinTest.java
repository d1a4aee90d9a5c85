package io.weir.pipeline.plan;

import static io.weir.pipeline.plan.Fixture.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.access.TestAccounts;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestBody;
import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meters;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.RequestAnswer;
import io.weir.pipeline.plan.PlannedRequestRunner.BatchJoin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Batches, their bound on bytes and their end. */
class BatchJoinTest {

    private static final String METHOD = "eth_getLogs";
    private static final int AT_ONCE = 64;
    private static final RpcReply TOO_LARGE = RpcReply.failure(ErrorCode.RESPONSE_TOO_LARGE.error());

    private final Fixture fixture = new Fixture();
    private final List<ReplySink> parked = new ArrayList<>();
    private final Client client = new Client();

    /** A client that may leave. Confined to one thread. */
    private static final class Client implements AnswerSink {
        private final List<RpcReply> kept = new ArrayList<>();
        private final List<RequestAnswer> answers = new ArrayList<>();
        private boolean gone;

        @Override
        public void accept(RequestAnswer answer) {
            answers.add(answer);
        }

        @Override
        public RpcReply keep(RpcReply reply) {
            kept.add(reply);
            return reply;
        }

        @Override
        public boolean isGone() {
            return gone;
        }

        @Override
        public boolean takesStream() {
            return true;
        }

        List<RpcReply> replies() {
            assertThat(answers).hasSize(1);
            return ((RequestAnswer.Many) answers.get(0)).replies();
        }
    }

    private void run(int calls) {
        fixture.handlers = Map.of(METHOD, (context, sink) -> {
            assertThat(context.takesStream())
                    .as("results of a batch are collected")
                    .isFalse();
            parked.add(sink);
        });
        List<RequestItem> items = new ArrayList<>();
        for (int id = 0; id < calls; id++) {
            items.add(call(Integer.toString(id), METHOD));
        }
        fixture.run(
                new RequestBody.Batch(items),
                Fixture.caller(TestAccounts.of("shop", new Meters(fixture.registry))),
                client);
    }

    private static RpcReply result(int bytes) {
        return new RpcReply.Result(RawJson.of("\"" + "x".repeat(bytes - 2) + "\""));
    }

    private void answer(int call, RpcReply reply) {
        parked.get(call).accept(reply);
        fixture.settle();
    }

    @Test
    void resultsUpToTheBoundPassAndAByteMoreDoesNot() {
        run(3);
        answer(0, result(BatchJoin.MAX_BYTES - 10));
        answer(1, result(11));
        answer(2, result(10));

        assertThat(client.replies()).element(1).isEqualTo(TOO_LARGE);
        assertThat(client.replies()).element(2).isEqualTo(result(10));
        assertThat(client.kept).as("what is held").hasSize(3).contains(TOO_LARGE);
    }

    @Test
    void noCallBeginsOnceAResultDidNotFit() {
        run(1_000);
        assertThat(parked).hasSize(AT_ONCE);
        answer(5, result(BatchJoin.MAX_BYTES + 1));
        assertThat(parked).hasSize(AT_ONCE);
        for (int call = 0; call < AT_ONCE; call++) {
            if (call != 5) {
                answer(call, result(10));
            }
        }
        assertThat(parked).hasSize(AT_ONCE);
        assertThat(client.replies().subList(AT_ONCE, 1_000)).containsOnly(TOO_LARGE);
        assertThat(client.replies().subList(0, AT_ONCE)).containsOnlyOnce(TOO_LARGE);
    }

    @Test
    void soManyCallsRunAtOnceThatTheirResultsFitIfTheyAreLikeThoseBefore() {
        run(1_000);
        int answered = 0;
        while (client.answers.isEmpty()) {
            answer(answered, result(1_000_000));
            answered++;
            int underWay = parked.size() - answered;
            if (answered > AT_ONCE - 25 && underWay > 1) {
                assertThat(parked).as("all that began at once").hasSize(AT_ONCE);
            }
        }
        assertThat(parked).hasSize(AT_ONCE);
        assertThat(client.replies())
                .filteredOn(reply -> reply instanceof RpcReply.Result)
                .hasSize(25);
    }

    @Test
    void smallResultsLetOneCallAfterTheOtherBegin() {
        run(200);
        answer(0, result(10));
        assertThat(parked).hasSize(AT_ONCE + 1);
        for (int call = 1; call < 200; call++) {
            answer(call, result(10));
        }
        assertThat(client.replies()).hasSize(200).containsOnly(result(10));
    }

    @Test
    void noCallBeginsOnceTheTimeOfTheBatchIsOver() {
        fixture.callTimeoutMillis = 50;
        run(200);
        // The batch's own time began before this one.
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
        await().until(() -> System.nanoTime() - until > 0);
        int begun = parked.size();
        for (int call = 0; call < begun; call++) {
            answer(call, result(10));
        }
        assertThat(parked).hasSize(begun).hasSizeLessThanOrEqualTo(AT_ONCE);
        assertThat(client.replies().subList(0, begun)).containsOnly(result(10));
        assertThat(client.replies().subList(begun, 200))
                .allSatisfy(reply -> assertThat(reply)
                        .isInstanceOfSatisfying(
                                RpcReply.Failure.class,
                                late -> assertThat(late.error().message()).contains("the time of the batch is over")));
    }

    @Test
    void noCallBeginsOnceTheClientIsGone() {
        run(200);
        client.gone = true;
        for (int call = 0; call < AT_ONCE; call++) {
            answer(call, result(10));
        }
        assertThat(parked).hasSize(AT_ONCE);
        assertThat(client.replies()).as("it ends all the same").hasSize(200);
    }
}
