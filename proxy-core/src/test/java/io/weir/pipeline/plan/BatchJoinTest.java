package io.weir.pipeline.plan;

import static io.weir.pipeline.plan.Fixture.call;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.access.TestAccounts;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestBody;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.RequestAnswer;
import io.weir.testing.NoLeaks;
import io.weir.upstream.FakeStream;
import io.weir.upstream.ResultStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Batches whose results stream. */
@NoLeaks
class BatchJoinTest {

    private static final String METHOD = "eth_getLogs";
    private static final String KEY = "shop";

    private final Fixture fixture = new Fixture();
    private final Meters meters = new Meters(fixture.registry);
    private final List<Parked> parked = new ArrayList<>();
    private final Client client = new Client();

    /** A call under way. Confined to one thread. */
    private record Parked(CallContext context, ReplySink sink) {

        void answer(String result) {
            sink.accept(new RpcReply.Result(RawJson.of(result)));
        }

        FakeStream stream() {
            FakeStream stream = new FakeStream();
            context.streams(stream);
            sink.accept(RpcReply.Streamed.RESULT);
            return stream;
        }
    }

    /** A client that takes streams. Confined to one thread. */
    private static final class Client implements AnswerSink, ResultStream.Receiver {
        private final List<RequestAnswer> answers = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private boolean takes;
        private int ended;

        @Override
        public void accept(RequestAnswer answer) {
            answers.add(answer);
            if (takes) {
                stream().begin(this);
            }
        }

        private ResultStream stream() {
            return requireNonNull(answers.get(0).stream());
        }

        @Override
        public void take(ByteBuf bytes) {
            text.append(bytes.toString(US_ASCII));
            bytes.release();
        }

        @Override
        public void flush() {}

        @Override
        public void ended(boolean whole) {
            text.append(whole ? "." : "!");
        }

        void close() {
            stream().close();
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
        fixture.handlers = Map.of(METHOD, (context, sink) -> parked.add(new Parked(context, sink)));
        fixture.run(
                new RequestBody.Batch(List.of(call("1", METHOD), call("2", METHOD))),
                Fixture.caller(TestAccounts.of(KEY, meters)),
                client);
    }

    @Test
    void aCallThatBeginsAnewInItsTurnIsBilledOnce() {
        client.takes = true;
        runTwo();
        parked.get(1).answer("\"a result of two pieces\"");
        parked.get(0).sink().accept(RpcReply.NO_ROOM);
        assertThat(parked).as("the first one again").hasSize(3);
        send(parked.get(2).stream(), "1");
        assertThat(parked).as("the other one again").hasSize(4);
        send(parked.get(3).stream(), "\"a result of", " two pieces\"");

        assertThat(client.text).endsWith(",{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"a result of two pieces\"}.");
        assertThat(bill(Meter.KEY_CALLS)).isEqualTo(2);
        assertThat(bill(Meter.KEY_UNITS))
                .isEqualTo(2L * MethodCatalogue.ethereum().facts(METHOD).cost());
        assertThat(bill(Meter.KEY_BYTES)).isEqualTo("1".length() + "\"a result of two pieces\"".length());
        client.close();
    }

    private void send(FakeStream stream, String... pieces) {
        for (String piece : pieces) {
            stream.receiver().take(Unpooled.copiedBuffer(piece, US_ASCII));
        }
        stream.receiver().ended(true);
        fixture.settle();
    }

    private long bill(Meter meter) {
        return meters.counter(meter, Fixture.NETWORK.name(), KEY, METHOD).getCount();
    }

    @Test
    void theCallsEndWithTheResultThatStreamsLast() {
        client.takes = true;
        runTwo();
        FakeStream first = parked.get(0).stream();
        parked.get(1).answer("2");
        fixture.settle();
        assertThat(client.ended).isZero();

        send(first, "1");
        assertThat(client.ended).isOne();
        assertThat(client.text)
                .hasToString(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1},{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":2}.");
        client.close();
        assertThat(client.ended).isOne();
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
