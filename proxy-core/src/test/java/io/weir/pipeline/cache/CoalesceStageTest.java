package io.weir.pipeline.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.access.Caller;
import io.weir.cache.CacheMeters;
import io.weir.chain.HeadTracker;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.MethodParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.upstream.stream.SharedResult.StreamSharing;
import io.weir.verify.BlockProof;
import io.weir.verify.ChainFamily;
import io.weir.verify.ChainVectors;
import io.weir.verify.ProvenBlock;
import io.weir.verify.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class CoalesceStageTest {

    private static final RpcReply RESULT = new RpcReply.Result(RawJson.of("\"0x1\""));
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Meters meters = new Meters(new MetricRegistry());
    private final HeadTracker head = new HeadTracker(MINUTE, System::nanoTime);
    private final Flights flights = new Flights(
            head,
            new CacheMeters(meters, "net"),
            new StreamSharing(1 << 20, MINUTE, Budget.unbounded(), new Counter()));
    private final List<ReplySink> nodes = new ArrayList<>();
    private final List<CallContext> asked = new ArrayList<>();
    private boolean hasRoom = true;
    private final CoalesceStage stage = new CoalesceStage("net", flights, reply -> hasRoom, (context, sink) -> {
        asked.add(context);
        context.trace().markForwarded();
        context.trace().answeredBy("node", 5);
        nodes.add(sink);
    });
    private final List<String> replies = new ArrayList<>();

    private CallContext call(String id, String params, long nanos, Caller caller) {
        CallContext context = context(id, params, nanos, caller);
        stage.handle(context, reply -> replies.add(id + " " + text(reply)));
        return context;
    }

    private CallContext context(String id, String params, long nanos, Caller caller) {
        RpcCall call = new RpcCall(RawJson.of(id), "eth_estimateGas", RawJson.of(params));
        long now = System.nanoTime();
        return new CallContext(call, caller, new NetworkId("testnet"), channel.eventLoop(), now, now + nanos);
    }

    private CallContext call(String id) {
        return call(id, "[{}]", MINUTE, Caller.PROXY);
    }

    private static String text(RpcReply reply) {
        return reply instanceof RpcReply.Result result
                ? result.value().toString()
                : ((RpcReply.Failure) reply).error().message();
    }

    @Test
    void theSameCallReachesANodeOnceAndEachIsAnswered() {
        call("1");
        CallContext second = call("2");
        call("3");
        assertThat(asked).hasSize(1);
        nodes.get(0).accept(RESULT);
        assertThat(replies).containsExactly("1 \"0x1\"", "2 \"0x1\"", "3 \"0x1\"");
        assertThat(second.trace().cacheStatus()).isEqualTo("fwd=method; collapsed");
        assertThat(second.trace().upstreamId()).isEqualTo("node");
        assertThat(meters.counter(Meter.CALLS_COALESCED, "net").getCount()).isEqualTo(2);
        assertThat(flights.size()).isZero();
    }

    @Test
    void callsThatWaitForALeaderThatFailedInsideAreAnswered() {
        CallContext leader = call("1");
        call("2");
        leader.failed(new StackOverflowError());
        assertThat(replies).containsExactly("1 internal error");
        assertThat(asked).as("the second leads now").hasSize(2);
        asked.get(1).failed(new AssertionError("of this test"));
        assertThat(replies).containsExactly("1 internal error", "2 internal error");
        assertThat(flights.size()).isZero();
        call("3");
        assertThat(asked).as("nobody waits for what failed").hasSize(3);
    }

    @Test
    void aLeaderWhoseStageThrowsIsAnsweredAndLeavesNothingBehind() {
        CoalesceStage broken = new CoalesceStage("net", flights, reply -> true, (context, sink) -> {
            throw new LinkageError("of this test");
        });
        RpcCall call = new RpcCall(RawJson.of("1"), "eth_estimateGas", RawJson.of("[{}]"));
        long now = System.nanoTime();
        CallContext context =
                new CallContext(call, Caller.PROXY, new NetworkId("testnet"), channel.eventLoop(), now, now + MINUTE);
        broken.handle(context, reply -> replies.add("1 " + text(reply)));
        assertThat(replies).containsExactly("1 internal error");
        assertThat(flights.size()).isZero();
    }

    @Test
    void whereThereIsNoRoomForTheAnswerOfAllOnlyTheLeaderHasIt() {
        call("1");
        call("2");
        hasRoom = false;
        nodes.get(0).accept(RESULT);
        assertThat(replies).containsExactly("1 \"0x1\"", "2 overloaded: no room for the answer");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerThatIsProvenOnlyAsFarAsItsLeaderNeedsIsForNobodyElse(boolean placed) {
        CallContext leader = call("1");
        call("2");
        call("3");
        ObjectNode withUncles = new ChainVectors()
                .blocks().stream()
                        .filter(block -> !block.get("uncles").isEmpty())
                        .findFirst()
                        .orElseThrow();
        Verification<ProvenBlock> proof = BlockProof.block(withUncles, null, ChainFamily.ETHEREUM);
        leader.trace().verifiedAs(placed ? proof : new Verification.Unanchored<>(proof.value()));
        nodes.get(0).accept(RESULT);
        assertThat(replies).containsExactly("1 \"0x1\"");
        assertThat(asked).as("one of the others leads").hasSize(2);
        nodes.get(1).accept(RESULT);
        assertThat(replies).containsExactly("1 \"0x1\"", "2 \"0x1\"", "3 \"0x1\"");
    }

    @Test
    void whatComesAfterTheAnswerIsAskedAnew() {
        call("1");
        nodes.get(0).accept(RESULT);
        call("2");
        assertThat(asked).hasSize(2);
    }

    @Test
    void aCallThatComesWhileTheAnswerIsSentIsAskedAnew() {
        stage.handle(context("1", "[{}]", MINUTE, Caller.PROXY), reply -> {
            replies.add("1 " + text(reply));
            call("2");
        });
        nodes.get(0).accept(RESULT);
        assertThat(replies).containsExactly("1 \"0x1\"");
        assertThat(asked).hasSize(2);
        nodes.get(1).accept(new RpcReply.Result(RawJson.of("\"0x2\"")));
        assertThat(replies).containsExactly("1 \"0x1\"", "2 \"0x2\"");
        assertThat(flights.size()).isZero();
    }

    @Test
    void aCallForOneBlockSharesTheAnswerWhileThatEntersMemory() {
        stage.handle(aboutBlock("1", "[{},\"0x5\"]"), reply -> {
            replies.add("1 " + text(reply));
            stage.handle(aboutBlock("2", "[{},\"0x5\"]"), second -> replies.add("2 " + text(second)));
        });
        nodes.get(0).accept(RESULT);
        assertThat(asked).hasSize(1);
        assertThat(replies).containsExactly("1 \"0x1\"", "2 \"0x1\"");
    }

    @Test
    void aCallThatBeganBeforeTheAnswerCameSharesIt() {
        CallContext earlier = context("2", "[{}]", MINUTE, Caller.PROXY);
        stage.handle(context("1", "[{}]", MINUTE, Caller.PROXY), reply -> {
            replies.add("1 " + text(reply));
            stage.handle(earlier, second -> replies.add("2 " + text(second)));
        });
        nodes.get(0).accept(RESULT);
        assertThat(asked).hasSize(1);
        assertThat(replies).containsExactly("1 \"0x1\"", "2 \"0x1\"");
    }

    private CallContext aboutBlock(String id, String params) {
        CallContext context = context(id, params, MINUTE, Caller.PROXY);
        try {
            MethodParams shape = requireNonNull(
                    MethodCatalogue.ethereum().facts(context.call().method()).params());
            context.checked(shape.check(RawJson.of(params)));
        } catch (InvalidParamsException e) {
            throw new AssertionError(e);
        }
        return context;
    }

    @Test
    void aLeaderThatCannotTakeItsAnswerDoesNotKeepItFromTheOthers() {
        stage.handle(context("1", "[{}]", MINUTE, Caller.PROXY), reply -> {
            throw new IllegalStateException("the leader's own");
        });
        call("2");
        assertThatThrownBy(() -> nodes.get(0).accept(RESULT)).hasMessage("the leader's own");
        assertThat(replies).containsExactly("2 \"0x1\"");
    }

    @Test
    void otherParametersAreAnotherCall() {
        call("1");
        call("2", "[{},\"0x1\"]", MINUTE, Caller.PROXY);
        assertThat(asked).hasSize(2);
    }

    @Test
    void whatCameAfterAWriteIsNotAnsweredWithWhatWasAskedBefore() {
        call("1");
        head.outdate();
        call("2");
        assertThat(asked).hasSize(2);
        call("3");
        assertThat(asked).as("the third joins the second").hasSize(2);
        nodes.get(0).accept(RESULT);
        assertThat(replies).containsExactly("1 \"0x1\"");
        nodes.get(1).accept(new RpcReply.Result(RawJson.of("\"0x2\"")));
        assertThat(replies).containsExactly("1 \"0x1\"", "2 \"0x2\"", "3 \"0x2\"");
    }

    @Test
    void whatCameAfterAnAcceptedTransactionIsNotAnsweredWithWhatWasAskedBefore() {
        call("1");
        head.accepted();
        call("2");
        assertThat(asked).hasSize(2);
    }

    @Test
    void anAcceptedTransactionIsOfNoConcernToCallsForOneBlock() {
        stage.handle(aboutBlock("1", "[{},\"0x5\"]"), reply -> {});
        head.accepted();
        stage.handle(aboutBlock("2", "[{},\"0x5\"]"), reply -> {});
        assertThat(asked).hasSize(1);
    }

    @Test
    void aNodesErrorIsEverybodys() {
        call("1");
        call("2");
        nodes.get(0).accept(RpcReply.failure(ErrorCode.INVALID_PARAMS.error("reverted")));
        assertThat(replies).containsExactly("1 reverted", "2 reverted");
        assertThat(asked).hasSize(1);
    }

    @Test
    void whereTheLeaderFindsNoNodeOneOfTheOthersTriesOnceMore() {
        call("1");
        call("2");
        call("3");
        nodes.get(0).accept(RpcReply.unavailable("no upstream"));
        assertThat(replies).containsExactly("1 no upstream");
        assertThat(asked).hasSize(2);
        nodes.get(1).accept(RESULT);
        assertThat(replies).containsExactly("1 no upstream", "2 \"0x1\"", "3 \"0x1\"");
    }

    @Test
    void afterTwoLeadersWithoutANodeAllAreTold() {
        for (int i = 1; i <= 50; i++) {
            call(String.valueOf(i));
        }
        nodes.get(0).accept(RpcReply.unavailable("no upstream"));
        nodes.get(1).accept(RpcReply.unavailable("no upstream"));
        assertThat(asked).hasSize(2);
        assertThat(replies).hasSize(50).allMatch(reply -> reply.endsWith("no upstream"));
    }

    @Test
    void aLeaderWhoseTimeIsShorterDoesNotFailTheOthers() {
        call("1", "[{}]", 0, Caller.PROXY);
        call("2");
        nodes.get(0).accept(RpcReply.unavailable("no answer in time"));
        assertThat(replies).first().isEqualTo("1 no answer in time");
        assertThat(asked).hasSize(2);
        nodes.get(1).accept(RESULT);
        assertThat(replies).contains("2 \"0x1\"");
    }

    @Test
    void eachWaitsUntilItsOwnDeadline() {
        call("1");
        call("2", "[{}]", 0, Caller.PROXY);
        channel.runScheduledPendingTasks();
        assertThat(replies).containsExactly("2 no answer in time");
        nodes.get(0).accept(RESULT);
        assertThat(replies).containsExactly("2 no answer in time", "1 \"0x1\"");
    }

    @Test
    void whoGoesPastTheCacheJoinsNobody() {
        call("1");
        call("2", "[{}]", MINUTE, CacheFixture.BYPASSING);
        assertThat(asked).hasSize(2);
    }
}
