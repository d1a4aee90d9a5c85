package io.weir.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.TestCaller;
import io.weir.config.ServerConfig;
import io.weir.framing.BodyBuffer;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.text.NameTable;
import io.weir.limit.Budget;
import io.weir.metrics.Meters;
import io.weir.network.CurrentGeneration;
import io.weir.network.Network;
import io.weir.network.Readiness;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.RequestAnswer;
import io.weir.transport.request.Admission;
import io.weir.transport.request.ConnectionCalls;
import io.weir.transport.request.ListenerContext;
import io.weir.upstream.FakeStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bodies of one connection that may have two calls in flight, of four for all connections. */
class ConnectionCallsTest {

    private final FakeRunner runner = new FakeRunner("main");
    private final Held held = new Held();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private ListenerContext listener;
    private Network network;
    private ConnectionCalls calls;

    /** Answers to one body. Confined to the test's thread. */
    private static final class Answers implements AnswerSink {

        private final List<RequestAnswer> got = new ArrayList<>();

        @Override
        public void accept(RequestAnswer answer) {
            got.add(answer);
        }
    }

    @BeforeEach
    void open() {
        ServerBounds bounds = new ServerBounds();
        bounds.callsPerConnection = 2;
        bounds.callsInFlight = 4;
        ServerConfig config = bounds.build();
        runner.on("held", held);
        CurrentGeneration current =
                new CurrentGeneration(TestProxy.generation(config, false, runner, new FakeRunner("side")));
        network = Objects.requireNonNull(current.get().networks().get("main"));
        listener = TestProxy.within(
                ListenerContext.of(
                        config,
                        new Readiness(current),
                        NameTable.EMPTY,
                        new Budget(config.load().bytes()),
                        null,
                        new Meters(new MetricRegistry())),
                bounds.limits());
        calls = new ConnectionCalls(listener, null, channel.eventLoop());
    }

    @AfterEach
    void everythingWasGivenBack() {
        IntStream.range(0, 10)
                .mapToObj(Integer::toString)
                .filter(held::isWaiting)
                .forEach(this::release);
        assertThat(listener.calls().taken()).isZero();
        assertThat(network.bodies().taken()).isZero();
    }

    /** Runs a batch of held calls with ids from the first one on. */
    private Answers run(int first, int count) {
        String body = IntStream.range(first, first + count)
                .mapToObj(id -> "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"held\"}")
                .collect(Collectors.joining(",", "[", "]"));
        return run(body);
    }

    private Answers run(String body) {
        BodyBuffer buffer = BodyBuffer.ofClient(
                body.length(), body.length(), listener.bytes().reserve());
        buffer.add(body.getBytes(UTF_8), body.length());
        Answers answers = new Answers();
        calls.run(buffer, new Admission.Granted(network, TestCaller.CLIENT, TestCaller.CLIENT.name()), null, answers);
        return answers;
    }

    private void release(String id) {
        held.release(id);
        channel.runPendingTasks();
    }

    @Test
    void aBodyOverTheBoundBeginsOnceThoseBeforeItHaveEnded() {
        run(0, 1);
        Answers second = run(1, 2);
        assertThat(held.isWaiting("1")).isFalse();
        assertThat(network.bodies().taken()).isPositive();
        release("0");
        assertThat(held.isWaiting("1")).isTrue();
        release("1");
        assertThat(second.got).isEmpty();
        release("2");
        assertThat(second.got).hasSize(1).first().isInstanceOf(RequestAnswer.Many.class);
    }

    @Test
    void aBodyDoesNotOvertakeOneThatWaits() {
        run(0, 1);
        run(1, 2);
        run(3, 1);
        assertThat(held.isWaiting("3")).isFalse();
        release("0");
        assertThat(held.isWaiting("3")).isFalse();
        release("1");
        release("2");
        assertThat(held.isWaiting("3")).isTrue();
    }

    @Test
    void aBodyThatIsDroppedWhileItWaitsLetsThoseBehindItBegin() {
        run(0, 1);
        Answers dropped = run(1, 2);
        run(3, 1);
        calls.drop(dropped);
        assertThat(dropped.got).containsExactly(new RequestAnswer.Nothing());
        assertThat(held.isWaiting("3")).isTrue();
        release("0");
        assertThat(held.isWaiting("1")).isFalse();
    }

    @Test
    void aBodyThatHasBegunIsNotDropped() {
        Answers begun = run(0, 1);
        run(1, 2);
        calls.drop(begun);
        assertThat(begun.got).isEmpty();
        release("0");
        assertThat(begun.got).hasSize(1).first().isInstanceOf(RequestAnswer.Many.class);
        assertThat(held.isWaiting("1")).isTrue();
    }

    @Test
    void bodiesThatWaitAreDroppedWithTheConnection() {
        run(0, 1);
        Answers second = run(1, 2);
        Answers third = run(3, 1);
        calls.close();
        assertThat(second.got).containsExactly(new RequestAnswer.Nothing());
        assertThat(third.got).containsExactly(new RequestAnswer.Nothing());
        release("0");
        assertThat(held.count()).isZero();
    }

    @Test
    void aBodyLargerThanTheBoundRunsAlone() {
        run(0, 3);
        assertThat(held.count()).isEqualTo(3);
        assertThat(listener.calls().taken()).isEqualTo(3);
    }

    @Test
    void aBodyLargerThanTheBoundOfAllConnectionsMayRunAlone() {
        run(0, 6);
        assertThat(held.count()).isEqualTo(6);
        assertThat(listener.calls().taken()).isEqualTo(4);
    }

    @Test
    void aBodyOverTheBoundOfAllConnectionsIsRefusedAndTakesNothing() {
        listener.calls().take(3);
        Answers refused = run(0, 2);
        assertThat(refused.got).hasSize(1).first().isInstanceOf(RequestAnswer.Refused.class);
        assertThat(listener.calls().taken()).isEqualTo(3);
        listener.calls().give(3);
        run(2, 2);
        assertThat(held.count()).as("the refused calls are not in flight").isEqualTo(2);
    }

    @Test
    void aResultThatStreamsAndNobodyTakesIsClosedAndItsCallEnds() {
        FakeStream stream = new FakeStream();
        runner.on("held", (context, sink) -> sink.accept(stream));
        Answers answers = run("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"held\"}");
        assertThat(answers.got).hasSize(1);
        assertThat(stream.isClosed()).isTrue();
        assertThat(listener.calls().taken()).isZero();
    }

    @Test
    void aBodyWhoseRunFailsIsAnsweredAndGivesBackWhatItTook() {
        runner.answerAll(body -> {
            throw new IllegalStateException("of this test");
        });
        Answers failed = run(0, 2);
        assertThat(failed.got)
                .hasSize(1)
                .first()
                .isInstanceOfSatisfying(
                        RequestAnswer.One.class,
                        one -> assertThat(
                                        ((RpcReply.Failure) one.reply()).error().message())
                                .isEqualTo("internal error"));
        assertThat(listener.calls().taken()).isZero();
    }
}
