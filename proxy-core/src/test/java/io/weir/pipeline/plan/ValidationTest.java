package io.weir.pipeline.plan;

import static io.weir.pipeline.plan.FakePool.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.pipeline.RequestAnswer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Parameters on the way to nodes. */
class ValidationTest {

    private final Fixture fixture = new Fixture();

    @Test
    void aWrongParameterIsAnsweredHere() {
        fixture.pool.node("a", result("1"));

        RequestAnswer.One answer = run("eth_getBalance", "[\"0x1\"]");

        assertThat(answer.id()).isEqualTo(RawJson.of("7"));
        assertThat(answer.reply()).isInstanceOfSatisfying(RpcReply.Failure.class, failure -> {
            assertThat(failure.kind()).isEqualTo(RpcReply.FailureKind.ANSWER);
            assertThat(failure.error().code()).isEqualTo(-32602);
            assertThat(failure.error().message())
                    .isEqualTo("params[0]: \"0x1\" (expected: address of 20 bytes in hex)");
        });
        assertThat(fixture.pool.asked).isEmpty();
    }

    @Test
    void parametersOverALimitAreAnsweredHereAndCounted() {
        String list = "[" + ("\"0x" + "0".repeat(40) + "\",").repeat(4_096) + "\"0x" + "1".repeat(40) + "\"]";

        RequestAnswer.One answer = run("eth_getLogs", "[{\"address\":" + list + "}]");

        assertThat(answer.reply()).isInstanceOfSatisfying(RpcReply.Failure.class, failure -> {
            assertThat(failure.error().code()).isEqualTo(-32602);
            assertThat(failure.error().message())
                    .isEqualTo("params[0].address: 4097 addresses (expected: at most 4096)");
        });
        assertThat(fixture.pool.asked).isEmpty();
        assertThat(new Meters(fixture.registry)
                        .counter(Meter.CALLS_OVER_LIMIT, "testnet", "addresses")
                        .getCount())
                .isEqualTo(1);
    }

    @Test
    void nodesAreAskedInNormalFormUnderTheIdThatCame() {
        fixture.pool.node("a", result("1"));

        RequestAnswer.One answer = run("eth_getBlockReceipts", "[21]");

        assertThat(answer.id()).isEqualTo(RawJson.of("7"));
        assertThat(answer.reply()).isInstanceOf(RpcReply.Result.class);
        assertThat(answer.context().call().id()).isEqualTo(RawJson.of("7"));
        assertThat(fixture.pool.asked)
                .singleElement()
                .satisfies(call -> assertThat(call.params()).hasToString("[\"0x15\"]"));
    }

    @Test
    void whatIsInNormalFormGoesOnAsTheSameBytes() {
        fixture.pool.node("a", result("1"));
        RawJson params = RawJson.of("[\"0x15\"]");

        fixture.run(new RpcCall(RawJson.of("7"), "eth_getBlockReceipts", params), Fixture.caller());

        assertThat(fixture.pool.asked.get(0).params()).isSameAs(params);
    }

    @Test
    void gasIsBoundedByTheHeadThatANodeTells() {
        fixture.pool.node("a", result("{\"gasLimit\":\"0xf4240\"}"), result("1"));

        run("eth_call", "[{\"gas\":\"0xffffffff\"}]");

        assertThat(fixture.pool.asked)
                .map(call -> call.method() + call.params())
                .containsExactly(
                        "eth_getBlockByNumber[\"latest\",false]", "eth_call[{\"gas\":\"0x989680\"},\"latest\"]");
        assertThat(gasCuts()).isEqualTo(1);
    }

    @Test
    void aFactorOfZeroBoundsNothing() {
        fixture.methods = "methods.gas-cap-factor = 0";
        fixture.pool.node("a", result("1"));

        run("eth_call", "[{\"gas\":\"0xffffffff\"}]");

        assertThat(gasCuts()).isZero();
        assertThat(fixture.pool.asked)
                .map(call -> call.params().toString())
                .containsExactly("[{\"gas\":\"0xffffffff\"},\"latest\"]");
    }

    @Test
    void parametersOfMethodsThatAreLeftToNodesPassAsTheyAre() {
        fixture.pool.node("a", result("1"), result("1"));

        run("trace_get", "[ \"0x01\" ]");
        run("nobody_knows", "{ }");

        assertThat(fixture.pool.asked).map(call -> call.params().toString()).containsExactly("[ \"0x01\" ]", "{ }");
    }

    @Test
    void aPluginChecksWhatItHandlesItself() {
        fixture.handlers = Map.of("eth_call", (context, sink) -> sink.accept(new RpcReply.Result(RawJson.of("2"))));

        assertThat(run("eth_call", "{}").reply()).isEqualTo(new RpcReply.Result(RawJson.of("2")));
    }

    private long gasCuts() {
        return fixture.registry.getCounters().entrySet().stream()
                .filter(entry -> entry.getKey().contains("gas_capped"))
                .mapToLong(entry -> entry.getValue().getCount())
                .sum();
    }

    private RequestAnswer.One run(String method, String params) {
        return (RequestAnswer.One)
                fixture.run(new RpcCall(RawJson.of("7"), method, RawJson.of(params)), Fixture.caller())
                        .get(0);
    }
}
