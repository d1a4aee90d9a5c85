package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Effects of nodes' errors on the pool, and the form in which clients see them. */
class AnswerJudgeTest {

    private final PoolBench bench = new PoolBench();
    private FakeNode a;

    @BeforeEach
    void begin() {
        a = bench.node("a", 0, 1);
        bench.node("b", 0, 1);
        bench.begin();
    }

    private static Answered error(int code, String message, String data) {
        return new Answered(RpcReply.failure(new RpcError(code, message, data == null ? null : RawJson.of(data))));
    }

    private NodeOutcome outcome(NodeOutcome given) {
        List<NodeOutcome> outcomes = bench.ask("a");
        a.calls.removeLast().end(given);
        bench.settle();
        return outcomes.get(0);
    }

    @Test
    void anUnknownMethodNeitherThrottlesNorTakesOutANode() {
        List<String> words = List.of("too many requests", "unauthorized", "database timeout", "rate limit", "internal");
        for (String word : words) {
            for (int code : new int[] {-32600, -32004, -32005, -32000, -32603}) {
                for (int i = 0; i < 4; i++) {
                    NodeOutcome outcome = outcome(word, error(code, "Unsupported method: " + word + ".", null));
                    assertThat(outcome instanceof NodeOutcome.Failed failed && failed.fault() != Fault.SERVER_ERROR)
                            .isFalse();
                }
            }
        }
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.chosen("b")).isEqualTo("a");
    }

    private NodeOutcome outcome(String method, NodeOutcome given) {
        List<NodeOutcome> outcomes = new ArrayList<>();
        RpcCall call = new RpcCall(RawJson.of("1"), method, RawJson.of("[\"x\"]"));
        bench.upstream("a").ask(bench.loop, call, bench.ticker.nanoTime() + 60_000_000_000L, Attempt.of(outcomes::add));
        a.calls.removeLast().end(given);
        bench.settle();
        return outcomes.get(0);
    }

    private long counted(ErrorClass errorClass) {
        return new Meters(bench.registry)
                .counter(Meter.UPSTREAM_ERRORS, "net", "a", errorClass.label())
                .getCount();
    }

    @Test
    void aRateLimitInWordsThrottlesTheNodeAndDoesNotTakeItOut() {
        NodeOutcome outcome = outcome(error(-32005, "daily request count exceeded, request rate limited", null));

        assertThat(((NodeOutcome.Failed) outcome).fault()).isEqualTo(Fault.RATE_LIMITED);
        assertThat(((NodeOutcome.Failed) outcome).executed()).isEqualTo(NodeOutcome.Executed.NO);
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.chosen("b")).isEqualTo("none");
        assertThat(counted(ErrorClass.RATE_LIMITED)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"429,0", "402,3600"})
    void aRateLimitByItsCodeIsOneWhateverTheWordsSay(int code, int seconds) {
        assertThat(outcome(error(code, "execution reverted: slow down", null)))
                .isEqualTo(
                        new NodeOutcome.Failed(Fault.RATE_LIMITED, NodeOutcome.Executed.NO, "error " + code, seconds));
        assertThat(bench.chosen("b")).isEqualTo("none");
    }

    @Test
    void refusedCredentialsInWordsTakeTheNodeOut() {
        a.probeOutcome = FakeNode.failed(Fault.CONNECT);

        NodeOutcome outcome = outcome(error(-32600, "Must be authenticated!", null));

        assertThat(((NodeOutcome.Failed) outcome).fault()).isEqualTo(Fault.CREDENTIALS);
        assertThat(bench.health("a")).isEqualTo(Health.DOWN);
        assertThat(counted(ErrorClass.CREDENTIALS)).isEqualTo(1);
    }

    @Test
    void theThirdInternalErrorInARowTakesTheNodeOut() {
        a.probeOutcome = FakeNode.failed(Fault.CONNECT);
        outcome(error(-32603, "Internal error", null));
        outcome(error(-32603, "Internal error", null));
        outcome(error(-32000, "execution reverted", null));
        outcome(error(-32603, "Internal error", null));
        outcome(error(-32603, "Internal error", null));
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(((NodeOutcome.Failed) outcome(error(-32603, "Internal error", null))).fault())
                .isEqualTo(Fault.SERVER_ERROR);
        assertThat(bench.health("a")).isEqualTo(Health.EJECTED);
        assertThat(counted(ErrorClass.NODE_FAULT)).isEqualTo(5);
        assertThat(counted(ErrorClass.EXECUTION_VERDICT)).isEqualTo(1);
    }

    @Test
    void anInternalErrorIsAFaultThatKeepsTheNodesWords() {
        NodeOutcome.Failed failed =
                (NodeOutcome.Failed) outcome(error(-32603, "tracer not found in /opt/geth/x", null));

        assertThat(failed.said().error()).isEqualTo(new RpcError(-32603, "tracer not found in [file]", null));
        assertThat(((NodeOutcome.Failed) outcome(error(-32005, "too many requests", null))).said())
                .isNull();
    }

    @Test
    void aRevertCostsNoHealthWhateverItsStatus() {
        for (int i = 0; i < 3 * PoolBench.FAULTS; i++) {
            Answered revert = error(3, "execution reverted", "\"0x\"");
            assertThat(outcome(new Answered(revert.reply(), 500, null))).isInstanceOf(Answered.class);
        }
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void noNumberOfVerdictsMistakesAndLacksTakesANodeOut() {
        for (int i = 0; i < 3 * PoolBench.FAULTS; i++) {
            outcome(error(3, "execution reverted", "\"0x\""));
            outcome(error(-32602, "invalid argument", null));
            outcome(error(-32000, "missing trie node", null));
            outcome(error(-32000, "nonce too low", null));
            outcome(error(-32601, "not found", null));
            outcome(error(-32000, "block range is too large", null));
            outcome(FakeNode.answer("null"));
        }
        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
        assertThat(bench.chosen("b")).isEqualTo("a");
        assertThat(counted(ErrorClass.NODE_FAULT)).isZero();
    }

    @Test
    void anErrorArrivesWithItsVerdictAndWithoutPathsStacksAndAddresses() {
        Answered answered =
                (Answered) outcome(error(-32000, "open /var/lib/geth/LOCK", "{\"stack\":\"at x\",\"hash\":null}"));

        assertThat(answered.verdict().errorClass()).isEqualTo(ErrorClass.UNKNOWN);
        assertThat(counted(ErrorClass.UNKNOWN)).isEqualTo(1);
        RpcError error = ((RpcReply.Failure) answered.reply()).error();
        assertThat(error).isEqualTo(new RpcError(-32000, "open [file]", RawJson.of("{\"hash\":null}")));

        Answered naming = (Answered) outcome(error(-32000, "no route to secret.example", null));
        assertThat(((RpcReply.Failure) naming.reply()).error().message()).isEqualTo("internal error");
    }

    @Test
    void anErrorThatIsTheNetworksOwnPassesAsItCame() {
        RpcError own = new RpcError(
                61,
                "the transaction version is not supported",
                RawJson.of("\"Cairo traceback (most recent call last):\\nUnknown location (/pc=0:67)\""));

        Answered answered = (Answered) outcome(new Answered(RpcReply.failure(own)));

        assertThat(((RpcReply.Failure) answered.reply()).error()).isEqualTo(own);
        assertThat(answered.verdict().then()).isEqualTo(Verdict.Then.FINAL);
        assertThat(counted(ErrorClass.EXECUTION_VERDICT)).isEqualTo(1);
        assertThat(((Node) bench.upstream("a")).refuses(PoolBench.call("eth_chainId")))
                .isFalse();
        Answered badRequest = (Answered) outcome(new Answered(RpcReply.failure(own), 400, null));
        assertThat(((RpcReply.Failure) badRequest.reply()).error()).isEqualTo(own);
        Answered naming = (Answered) outcome(error(61, "refused", "\"by secret.example\""));
        assertThat(((RpcReply.Failure) naming.reply()).error()).isEqualTo(new RpcError(61, "internal error", null));
        Answered limited = new Answered(RpcReply.failure(own), 429, null);
        assertThat(((NodeOutcome.Failed) outcome(limited)).fault()).isEqualTo(Fault.RATE_LIMITED);
    }

    @Test
    void aNodeThatLacksAMethodComesAfterThoseThatMayHaveIt() {
        outcome(error(-32601, "the method eth_chainId does not exist/is not available", null));

        for (int i = 0; i < 50; i++) {
            assertThat(bench.chosen()).isEqualTo("b");
        }
        assertThat(bench.chosen("b")).as("better than none").isEqualTo("a");
        assertThat(bench.pool.choose(PoolBench.call("eth_call"), List.of(bench.upstream("b")), 0))
                .as("another method")
                .isNotNull();

        outcome(FakeNode.answer("1"));
        assertThat(((Node) bench.upstream("a")).refuses(PoolBench.call("eth_chainId")))
                .isFalse();
    }

    @Test
    void aParameterThatIsNotSupportedSaysNothingOfTheMethod() {
        outcome(error(-32000, "tracer muxTracer is not supported", null));

        assertThat(counted(ErrorClass.UNSUPPORTED)).isZero();
        assertThat(((Node) bench.upstream("a")).refuses(PoolBench.call("eth_chainId")))
                .isFalse();
    }

    @Test
    void aRateLimitedProbeLeavesTheNodeIn() {
        a.probeOutcome = error(-32005, "too many requests", null);
        bench.chosen();
        bench.pass(1_500);

        assertThat(bench.health("a")).isEqualTo(Health.HEALTHY);
    }

    @Test
    void theNodeThatIsAheadIsTheOneWithTheBestHead() {
        assertThat(bench.pool.chooseAhead(PoolBench.call(), bench.upstream("a")))
                .as("both are even")
                .isNull();
        bench.nodes.get("b").head = 101;
        bench.chosen();
        bench.pass(1_500);

        assertThat(bench.pool
                        .chooseAhead(PoolBench.call(), bench.upstream("a"))
                        .upstream()
                        .id())
                .isEqualTo("b");
        assertThat(bench.pool.chooseAhead(PoolBench.call(), bench.upstream("b")))
                .isNull();

        bench.ask("b", FakeNode.rateLimited(5));
        assertThat(bench.pool.chooseAhead(PoolBench.call(), bench.upstream("a")))
                .as("b is to be left alone")
                .isNull();
    }
}
