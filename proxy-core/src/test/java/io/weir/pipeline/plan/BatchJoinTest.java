package io.weir.pipeline.plan;

import static io.weir.pipeline.plan.Fixture.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RequestBody;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.RequestAnswer;
import io.weir.upstream.FakeStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Batches whose results stream. */
class BatchJoinTest {

    private final Fixture fixture = new Fixture();
    private final List<Parked> parked = new ArrayList<>();
    private final Client client = new Client();

    /** A call under way. Confined to one thread. */
    private record Parked(CallContext context, ReplySink sink) {

        FakeStream stream() {
            FakeStream stream = new FakeStream();
            context.streams(stream);
            sink.accept(RpcReply.Streamed.RESULT);
            return stream;
        }
    }

    /** A client that takes streams. Confined to one thread. */
    private static final class Client implements AnswerSink {
        private final List<RequestAnswer> answers = new ArrayList<>();
        private int ended;

        @Override
        public void accept(RequestAnswer answer) {
            answers.add(answer);
        }

        @Override
        public boolean takesStream() {
            return true;
        }

        @Override
        public void callsEnded() {
            ended++;
        }
    }

    private void runTwo() {
        fixture.handlers = Map.of("eth_getLogs", (context, sink) -> parked.add(new Parked(context, sink)));
        fixture.run(new RequestBody.Batch(List.of(call("1", "eth_getLogs"), call("2", "eth_getLogs"))), client);
    }

    @Test
    void aResultThatComesAfterTheClientHasLeftIsClosed() {
        runTwo();
        FakeStream first = parked.get(0).stream();
        assertThat(client.answers).hasSize(1);
        assertThat(first.isClosed()).isTrue();

        FakeStream late = parked.get(1).stream();
        assertThat(late.isClosed()).isTrue();
        assertThat(client.ended).isOne();
    }
}
