package io.weir.pipeline.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.limit.Budget;
import io.weir.limit.Reservation;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.HandPool;
import io.weir.pipeline.ReplyCheck;
import io.weir.pipeline.ReplyCheck.Checked;
import io.weir.pipeline.Stage;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.NodeOutcome.Flaw;
import io.weir.verify.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Calls whose results a check looks at before they count. */
class CheckedAttemptsTest {

    private final HandPool pool = new HandPool();
    private final List<String> checked = new ArrayList<>();

    private List<RpcReply> send(boolean repeatable, long millis, ReplyCheck check) {
        ReplyCheck noted = (at, upstream, result, sink) -> {
            checked.add(upstream + result);
            check.check(at, upstream, result, sink);
        };
        Stage stage = TestForwarding.forwarding(pool, pool.registry, noted).over(pool, repeatable);
        return pool.send(stage, pool.context("anybody", "eth_getBlockByHash", "[]", millis));
    }

    private static NodeOutcome passed(RawJson result) {
        return new NodeOutcome.Answered(new RpcReply.Result(result));
    }

    private static Checked unproven(NodeOutcome outcome) {
        return new Checked(outcome, null);
    }

    private static ReplyCheck only(String good) {
        return (at, upstream, result, sink) -> sink.accept(
                unproven(upstream.equals(good) ? passed(result) : Failed.unproven(Flaw.FALSE_HASH, "as laid down")));
    }

    @Test
    void anAnswerThatFailsIsAsAFailedAttempt() {
        pool.a.answering(HandNode.result("1"));
        pool.b.answering(HandNode.result("2"));
        assertThat(send(true, 1_000, only("b"))).containsExactly(new RpcReply.Result(RawJson.of("2")));
        assertThat(checked).containsExactly("a1", "b2");
    }

    @Test
    void theResultOfACallThatIsNotSentTwiceIsNotLookedAt() {
        pool.a.answering(HandNode.result("1"));
        assertThat(send(false, 1_000, only("b"))).containsExactly(new RpcReply.Result(RawJson.of("1")));
        assertThat(checked).isEmpty();
    }

    @Test
    void whatAnAttemptLackedIsKnownAfterAnotherOneFailed() {
        pool.a.answering(HandNode.result("1"));
        pool.b.answering(HandNode.unreachable());
        Verification<?> missing = new Verification.Missing<>("without its block");
        ReplyCheck lacking = (at, upstream, result, sink) ->
                sink.accept(new Checked(new Failed(Fault.FALSE_ANSWER, Executed.NO, "as laid down", 0), missing));
        CallContext context = pool.context("anybody", "eth_getBlockByHash", "[]", 1_000);
        pool.send(TestForwarding.forwarding(pool, pool.registry, lacking).over(pool, true), context);
        assertThat(pool.b.asked).isNotEmpty();
        assertThat(context.trace().verification()).isSameAs(missing);
    }

    @Test
    void errorsAreNotLookedAt() {
        pool.a.answering(HandNode.error(3, "execution reverted"));
        assertThat(send(true, 1_000, only("b"))).hasSize(1);
        assertThat(checked).isEmpty();
    }

    @Test
    void whereEveryAnswerFailsThatMayPass() {
        pool.a.answering(HandNode.result("1"));
        pool.b.answering(HandNode.result("2"));
        RpcReply.Failure failure =
                (RpcReply.Failure) send(true, 1_000, only("nobody")).get(0);
        assertThat(failure.kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(failure.error().message()).contains("not proven");
    }

    @Test
    void ofFailuresThoseThatMayPassSayMoreThanWhatNeverCanBeVerified() {
        pool.a.answering(HandNode.unreachable());
        pool.b.answering(HandNode.result("2"));
        ReplyCheck never = (at, upstream, result, sink) ->
                sink.accept(unproven(Failed.unproven(Flaw.UNVERIFIABLE, "as laid down")));
        RpcReply.Failure failure = (RpcReply.Failure) send(true, 1_000, never).get(0);
        assertThat(failure.error().message()).contains("not reachable");
        pool.a.answering(HandNode.result("1"));
        failure = (RpcReply.Failure) send(true, 1_000, never).get(0);
        assertThat(failure.kind()).isEqualTo(FailureKind.ANSWER);
        assertThat(failure.error().code()).isEqualTo(-32000);
    }

    @Test
    void whereThereIsNoRoomToLookNoOtherNodeIsAsked() {
        pool.a.answering(HandNode.result("1"));
        ReplyCheck full = (at, upstream, result, sink) ->
                sink.accept(unproven(new Failed(Fault.UNCHECKED, Executed.NO, "full", 0)));
        RpcReply.Failure failure = (RpcReply.Failure) send(true, 1_000, full).get(0);
        assertThat(failure.kind()).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(pool.b.asked).isEmpty();
    }

    @Test
    void aCheckThatDoesNotEndInTimeFailsTheCall() {
        pool.a.answering(HandNode.result("1"));
        List<RpcReply> replies = send(true, 1, (at, upstream, result, sink) -> {});
        await().untilAsserted(() -> {
            pool.runLoop();
            assertThat(replies).hasSize(1);
        });
        assertThat(((RpcReply.Failure) replies.get(0)).error().message()).contains("could not be verified in time");
    }

    @Test
    void aCheckMayEndLater() {
        pool.a.answering(HandNode.result("1"));
        List<Consumer<Checked>> sinks = new ArrayList<>();
        List<RpcReply> later = send(true, 60_000, (at, upstream, result, sink) -> sinks.add(sink));
        assertThat(later).isEmpty();
        sinks.get(0).accept(unproven(passed(RawJson.of("1"))));
        pool.runLoop();
        assertThat(later).hasSize(1);
    }

    @Test
    void aResultThatWaitsForItsCheckIsCountedUntilItIsHandedOver() {
        ForwardStage stage = TestForwarding.stage(
                pool, NetworkSettings.of("net", "").balance(), new MetricRegistry(), System::nanoTime);
        Budget bytes = stage.bytes();
        Reservation arrived = bytes.reserve();
        arrived.add(3);
        pool.a.answering(HandNode.result("123"));
        List<Consumer<Checked>> sinks = new ArrayList<>();
        CallContext context = pool.context("anybody", "eth_getBlockByHash", "[]", 60_000);
        List<Long> counted = new ArrayList<>();
        ForwardStage judging = TestForwarding.judged(stage, (at, upstream, result, sink) -> sinks.add(sink));
        arrived.handOver(() -> judging.handle(context, reply -> counted.add(bytes.taken())));
        assertThat(bytes.taken()).as("while it waits").isEqualTo(3);
        sinks.get(0).accept(unproven(passed(RawJson.of("123"))));
        pool.runLoop();
        assertThat(counted).as("while it is handed over").containsExactly(3L);
        assertThat(bytes.taken()).isZero();
    }
}
