package io.weir.pipeline.plan;

import static io.weir.pipeline.plan.FakePool.result;
import static io.weir.pipeline.plan.Fixture.call;
import static io.weir.pipeline.plan.Fixture.notification;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.access.RateGate;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestBody;
import io.weir.jsonrpc.RequestItem;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.method.MethodFacts;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.AnswerSink;
import io.weir.pipeline.CacheStages.CachedReplies;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.NoCacheStages;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.RequestAnswer;
import io.weir.upstream.CallCause;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestRunnerTest {

    private final Fixture fixture = new Fixture();

    @Test
    void aBatchIsAnsweredInTheOrderAskedWhateverTheOrderOfReplies() {
        List<ReplySink> parked = new ArrayList<>();
        fixture.handlers = Map.of("slow_one", (context, sink) -> parked.add(sink));
        var answers = fixture.run(
                new RequestBody.Batch(List.of(call("1", "slow_one"), call("\"b\"", "slow_one"), call("3", "slow_one"))),
                Fixture.caller());
        assertThat(answers).isEmpty();

        parked.get(2).accept(new RpcReply.Result(RawJson.of("30")));
        parked.get(0).accept(new RpcReply.Result(RawJson.of("10")));
        assertThat(answers).isEmpty();
        parked.get(1).accept(new RpcReply.Result(RawJson.of("20")));

        RequestAnswer.Many many = (RequestAnswer.Many) answers.get(0);
        assertThat(many.ids()).map(RawJson::toString).containsExactly("1", "\"b\"", "3");
        assertThat(many.replies())
                .map(reply -> ((RpcReply.Result) reply).value().toString())
                .containsExactly("10", "20", "30");
    }

    @Test
    void aBatchAnsweredHereLeavesTheEventLoopTimeForOthers() {
        List<String> order = new ArrayList<>();
        fixture.handlers = Map.of("quick_one", (context, sink) -> {
            if (order.isEmpty()) {
                fixture.loop.execute(() -> order.add("other"));
            }
            order.add("call");
            sink.accept(new RpcReply.Result(RawJson.of("1")));
        });

        var answers =
                fixture.run(new RequestBody.Batch(Collections.nCopies(100, call("1", "quick_one"))), Fixture.caller());

        assertThat(((RequestAnswer.Many) answers.get(0)).replies()).hasSize(100).doesNotContainNull();
        assertThat(order).hasSize(101);
        assertThat(order.indexOf("other")).isEqualTo(32);
    }

    @Test
    void aStageThatThrowsIsAnsweredForAndOthersOfItsBatchAreServed() {
        fixture.handlers = Map.of(
                "broken",
                (context, sink) -> {
                    throw new StackOverflowError();
                },
                "broken_later",
                (context, sink) -> context.step(() -> {
                    throw new AssertionError("of this test");
                }),
                "answered_and_broken",
                (context, sink) -> {
                    sink.accept(new RpcReply.Result(RawJson.of("7")));
                    throw new IllegalStateException("of this test");
                });
        for (String method : List.of("broken", "broken_later")) {
            var answer = (RequestAnswer.One)
                    fixture.run(call("1", method), Fixture.caller()).get(0);
            assertThat(((RpcReply.Failure) answer.reply()).error().message()).isEqualTo("internal error");
        }
        var answers = fixture.run(
                new RequestBody.Batch(List.of(
                        call("1", "broken"),
                        call("2", "answered_and_broken"),
                        notification("broken"),
                        call("3", "broken_later"))),
                Fixture.caller());
        assertThat(answers).hasSize(1);
        assertThat(((RequestAnswer.Many) answers.get(0)).replies())
                .map(reply -> reply instanceof RpcReply.Result result
                        ? result.value().toString()
                        : ((RpcReply.Failure) reply).error().message())
                .containsExactly("internal error", "7", "internal error");
    }

    @Test
    void aLargeBatchHasOnlyAFewOfItsCallsUnderWayAtOnceAndAnswersAll() {
        Deque<ReplySink> parked = new ArrayDeque<>();
        fixture.handlers = Map.of("slow_one", (context, sink) -> parked.add(sink));
        var answers =
                fixture.run(new RequestBody.Batch(Collections.nCopies(1000, call("1", "slow_one"))), Fixture.caller());

        int most = 0;
        while (!parked.isEmpty()) {
            most = Math.max(most, parked.size());
            parked.poll().accept(new RpcReply.Result(RawJson.of("1")));
        }

        assertThat(most).isEqualTo(64);
        assertThat(((RequestAnswer.Many) answers.get(0)).replies())
                .hasSize(1000)
                .doesNotContainNull();
    }

    @Test
    void aLargeBatchThatIsAnsweredAtOnceNeedsNoDeepStack() {
        fixture.handlers = Map.of("fast_one", (context, sink) -> sink.accept(new RpcReply.Result(RawJson.of("1"))));

        var answers = fixture.run(
                new RequestBody.Batch(Collections.nCopies(100_000, call("1", "fast_one"))), Fixture.caller());

        assertThat(((RequestAnswer.Many) answers.get(0)).replies()).hasSize(100_000);
    }

    @Test
    void eachElementOfABatchStandsForItself() {
        fixture.pool.node("a", result("1"));
        var invalid = new RequestItem.Invalid(RawJson.NULL, ErrorCode.INVALID_REQUEST.error());

        var answer = (RequestAnswer.Many) fixture.run(
                        new RequestBody.Batch(List.of(
                                invalid, notification("eth_call"), call("7", "eth_call"), call("8", "admin_peers"))),
                        Fixture.caller())
                .get(0);

        assertThat(answer.ids()).map(RawJson::toString).containsExactly("null", "7", "8");
        assertThat(answer.replies().get(0)).isEqualTo(RpcReply.failure(ErrorCode.INVALID_REQUEST.error()));
        assertThat(answer.replies().get(1)).isInstanceOf(RpcReply.Result.class);
        assertThat(((RpcReply.Failure) answer.replies().get(2)).error().code()).isEqualTo(-32601);
    }

    @Test
    void notificationsGetSilenceAndAreForwardedOnlyWhereTheyMakeSense() {
        fixture.pool.node("a", result("1"));

        assertThat(fixture.run(notification("eth_call"), Fixture.caller()))
                .containsExactly(new RequestAnswer.Nothing());
        assertThat(fixture.pool.asked).isEmpty();

        assertThat(fixture.run(notification("eth_sendRawTransaction"), Fixture.caller()))
                .containsExactly(new RequestAnswer.Nothing());
        assertThat(fixture.pool.asked).hasSize(1);
    }

    @Test
    void aBatchOfNotificationsIsAnsweredByNothing() {
        assertThat(fixture.run(
                        new RequestBody.Batch(List.of(notification("eth_call"), notification("nobody_knows"))),
                        Fixture.caller()))
                .containsExactly(new RequestAnswer.Nothing());
    }

    @Test
    void overTheRateABodyIsRefusedWholeBeforeAnyCall() {
        fixture.pool.node("a", result("1"));
        var body =
                new RequestBody.Batch(List.of(call("1", "eth_call"), notification("eth_call"), call("2", "eth_call")));

        var refused = (RequestAnswer.Refused)
                fixture.run(body, Fixture.callerAtRate(1_500_000_000L)).get(0);

        assertThat(refused.batch()).isTrue();
        assertThat(refused.ids()).map(RawJson::toString).containsExactly("1", "2");
        assertThat(refused.failure().kind()).isEqualTo(FailureKind.RATE_LIMITED);
        assertThat(refused.failure().retryAfterSeconds()).isEqualTo(2);
        assertThat(refused.failure().error().data()).hasToString("{\"callsPerSecond\":5}");
        assertThat(fixture.pool.asked).isEmpty();
    }

    @Test
    void aBatchThatTheBurstCanNeverAdmitIsAnInvalidRequestWithoutRetryAfter() {
        var body = new RequestBody.Batch(List.of(call("1", "eth_call"), call("2", "eth_call")));

        var refused = (RequestAnswer.Refused)
                fixture.run(body, Fixture.callerAtRate(RateGate.NEVER)).get(0);

        assertThat(refused.failure().error().code()).isEqualTo(-32600);
        assertThat(refused.failure().kind()).isEqualTo(FailureKind.ANSWER);
        assertThat(refused.failure().retryAfterSeconds()).isZero();
    }

    @Test
    void aMethodThatTheKeyMayNotUseIsForbidden() {
        var one = (RequestAnswer.One) fixture.run(call("1", "eth_call"), Fixture.callerWithoutRights())
                .get(0);

        RpcReply.Failure failure = (RpcReply.Failure) one.reply();
        assertThat(failure.kind()).isEqualTo(FailureKind.FORBIDDEN);
        assertThat(failure.error().code()).isEqualTo(-32002);
    }

    @Test
    void aCachedReplyIsServedAndCountedForCallersWithTheRight() {
        RpcReply known = new RpcReply.Result(RawJson.of("\"known\""));
        fixture.cache = new NoCacheStages() {
            @Override
            public CachedReplies fastPath(MethodFacts facts) {
                return context -> known;
            }
        };

        var told = (RequestAnswer.One) fixture.run("eth_call").get(0);
        var forbidden = (RequestAnswer.One) fixture.run(call("1", "eth_call"), Fixture.callerWithoutRights())
                .get(0);
        var many = (RequestAnswer.Many) fixture.run(
                        new RequestBody.Batch(List.of(call("1", "eth_call"), call("2", "eth_getBalance"))),
                        Fixture.caller())
                .get(0);

        assertThat(told.reply()).isEqualTo(known);
        assertThat(((RpcReply.Failure) forbidden.reply()).kind()).isEqualTo(FailureKind.FORBIDDEN);
        assertThat(many.replies()).containsExactly(known, known);
        assertThat(new Meters(fixture.registry)
                        .counter(Meter.CALLS, "testnet", "eth_call", "result")
                        .getCount())
                .isEqualTo(2);
        assertThat(fixture.pool.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBatchIsAnsweredAlthoughCountingOneReplyFails(boolean cached) {
        RpcReply known = new RpcReply.Result(RawJson.of("1"));
        fixture.handlers = Map.of("quick_one", (context, sink) -> sink.accept(known));
        fixture.cache = new NoCacheStages() {
            @Override
            public @Nullable CachedReplies fastPath(MethodFacts facts) {
                return cached ? context -> known : null;
            }
        };
        String method = cached ? "eth_chainId" : "quick_one";
        List<RequestAnswer> answers = new ArrayList<>();
        AnswerSink sink = new AnswerSink() {
            private int kept;

            @Override
            public void accept(RequestAnswer answer) {
                answers.add(answer);
            }

            @Override
            public RpcReply keep(RpcReply reply) {
                if (++kept == 40) {
                    throw new IllegalStateException("of this test");
                }
                return reply;
            }
        };

        fixture.run(new RequestBody.Batch(Collections.nCopies(100, call("1", method))), sink);

        assertThat(answers).hasSize(1);
        assertThat(((RequestAnswer.Many) answers.get(0)).replies()).hasSize(100).doesNotContainNull();
    }

    @Test
    void subscriptionsAreNotSupportedAndSaySo() {
        var failure = failure("eth_subscribe");

        assertThat(failure.error().code()).isEqualTo(-32601);
        assertThat(failure.error().message()).isEqualTo("notifications not supported");
    }

    @Test
    void aNetworkDeniesDangerousMethodsUnlessItAllowsThem() {
        fixture.pool.node("a", result("1"));
        assertThat(failure("debug_traceCall").error().code()).isEqualTo(-32601);
        assertThat(failure("personal_unlockAccount").error().code()).isEqualTo(-32601);

        fixture.methods = "methods.allow = [\"debug_*\"]";
        assertThat(((RequestAnswer.One) fixture.run("debug_traceCall").get(0)).reply())
                .isInstanceOf(RpcReply.Result.class);
    }

    @Test
    void aPluginsHandlerStandsInPlaceOfTheNodeForClientsOnly() {
        fixture.pool.node("a", result("\"node\""));
        fixture.handlers =
                Map.of("eth_gasPrice", (context, sink) -> sink.accept(new RpcReply.Result(RawJson.of("\"plugin\""))));
        List<RpcReply> inner = new ArrayList<>();
        PlannedRequestRunner runner = fixture.runner();

        var one = (RequestAnswer.One) fixture.run("eth_gasPrice").get(0);
        CallContext context = ((RequestAnswer.One) fixture.run("eth_gasPrice").get(0)).context();
        runner.plans().plan("eth_gasPrice").handleInternal(context, inner::add);

        assertThat(((RpcReply.Result) one.reply()).value()).hasToString("\"plugin\"");
        assertThat(((RpcReply.Result) inner.get(0)).value()).hasToString("\"node\"");
    }

    @Test
    void aMethodThatIsDeniedStillGivesEvidence() {
        fixture.pool.node("a", result("1"));
        fixture.methods = "methods.deny = [\"eth_gasPrice\"]";
        PlannedRequestRunner runner = fixture.runner();
        CallContext context = ((RequestAnswer.One) fixture.run("eth_gasPrice").get(0)).context();
        List<RpcReply> own = new ArrayList<>();
        runner.plans().plan("eth_gasPrice").handleInternal(context, own::add);
        runner.plans().plan("eth_gasPrice").handleInternal(context.aside(context.call(), CallCause.VERIFY), own::add);

        assertThat(((RpcReply.Failure) own.get(0)).error().code()).isEqualTo(-32601);
        assertThat(own.get(1)).isInstanceOf(RpcReply.Result.class);
    }

    @Test
    void callsAreCountedByMethodAndOutcomeAndUnknownNamesShareOneLabel() {
        fixture.pool.node("a", result("1"), result("1"), result("1"));
        fixture.run("eth_call");
        fixture.run("junk_1");
        fixture.run("junk_2");

        assertThat(count("eth_call", "result")).isEqualTo(1);
        assertThat(count("other", "result")).isEqualTo(2);
    }

    private long count(String method, String outcome) {
        return fixture.registry.getCounters().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(method + '\u001f' + outcome))
                .mapToLong(entry -> entry.getValue().getCount())
                .sum();
    }

    private RpcReply.Failure failure(String method) {
        return (RpcReply.Failure) ((RequestAnswer.One) fixture.run(method).get(0)).reply();
    }
}
