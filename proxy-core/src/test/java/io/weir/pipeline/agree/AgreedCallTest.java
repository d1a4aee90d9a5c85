package io.weir.pipeline.agree;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chain.Finalities;
import io.weir.chain.Finality;
import io.weir.config.NetworkConfig;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.limit.Budget;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.HandPool;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.ReplyCheck;
import io.weir.pipeline.Stage;
import io.weir.pipeline.evidence.MisbehaviourTracker;
import io.weir.pipeline.plan.TestForwarding;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.UpstreamStatus.Health;
import io.weir.upstream.verdict.CallErrors;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls that go to the nodes {@code a}, {@code b} and {@code c} at once; {@code d} waits. */
class AgreedCallTest {

    private static final String CALL = "eth_call";

    private final HandPool pool = new HandPool();
    private final HandNode c = new HandNode("c");
    private final HandNode d = new HandNode("d");
    private final List<String> charged = new ArrayList<>();
    private final Budget bytes = new Budget(1 << 20);
    private final Finality finalized = Finalities.alone();
    private final List<String> passed = new ArrayList<>();
    private ReplyCheck judge;
    private CallContext context;
    private String waits = TestForwarding.NO_WAITS;

    AgreedCallTest() {
        pool.nodes.addAll(List.of(c, d));
    }

    private static NetworkConfig config(String settings) {
        return NetworkSettings.of("net", NetworkSettings.upstreams(4), "agree { " + settings + " }");
    }

    private Stage stage(String settings, String method) {
        MisbehaviourTracker tracker = new MisbehaviourTracker(
                "net",
                Hashing.AUTO,
                false,
                (id, flaw, detail, costs) -> charged.add(id + " " + flaw + (costs ? " costs: " : ": ") + detail));
        Agreements agreements = new Agreements(
                config(settings),
                Nodes.of(
                        pool,
                        judge == null
                                ? TestForwarding.forwarding(pool, pool.registry, waits)
                                : TestForwarding.forwarding(pool, pool.registry, judge)),
                tracker,
                finalized,
                bytes,
                pool.meters());
        return agreements.before(
                MethodCatalogue.ofName(method),
                (call, sink) -> passed.add(call.call().method()));
    }

    private List<RpcReply> send(String settings, String method) {
        context = pool.context("me", method, "[{},\"0x7\"]", 10_000);
        context.setRoute(context.route().toBlock(7, true));
        return pool.send(stage(settings, method), context);
    }

    private List<RpcReply> send(String method) {
        return send("methods = [\"*\"]", method);
    }

    private long count(String outcome) {
        return pool.counter("agreements", outcome);
    }

    private static RpcReply result(String json) {
        return new RpcReply.Result(RawJson.of(json));
    }

    private static void answer(HandNode node, NodeOutcome outcome) {
        node.asked.remove(0).answer(outcome);
    }

    @Test
    void theAnswerComesAsSoonAsEnoughNodesGiveIt() {
        List<RpcReply> replies = send(CALL);
        assertThat(List.of(pool.a, pool.b, c))
                .allSatisfy(node -> assertThat(node.asked).hasSize(1));
        assertThat(d.asked).isEmpty();
        answer(pool.b, HandNode.result("\"0xAB\""));
        assertThat(replies).isEmpty();
        assertThat(bytes.taken()).isEqualTo(6);
        answer(c, HandNode.result("\"0xab\""));
        assertThat(replies).containsExactly(result("\"0xAB\""));
        assertThat(context.trace().upstreamId()).isEqualTo("b");
        assertThat(count("equal")).isZero();
        answer(pool.a, HandNode.result("\"0xab\""));
        assertThat(count("equal")).isEqualTo(1);
        assertThat(charged).isEmpty();
        assertThat(bytes.taken()).isZero();
        assertThat(replies).hasSize(1);
    }

    @Test
    void theOddOneOutIsCountedAndChargedWithoutHealthForCode() {
        pool.a.answering(HandNode.result("\"0x02\""));
        pool.b.answering(HandNode.result("\"0x01\""));
        c.answering(HandNode.result("\"0x01\""));
        assertThat(send(CALL)).containsExactly(result("\"0x01\""));
        assertThat(count("different")).isEqualTo(1);
        assertThat(charged).containsExactly("a OTHER_RESULT: block 7: \"0x02\" (expected: \"0x01\")");
    }

    @Test
    void aFalseBalanceOfAFinalBlockCostsHealthAlsoIfItComesLate() {
        Finalities.raise(finalized, 7);
        pool.b.answering(HandNode.result("\"0x01\""));
        c.answering(HandNode.result("\"0x1\""));
        assertThat(send("eth_getBalance")).containsExactly(result("\"0x01\""));
        assertThat(charged).isEmpty();
        answer(pool.a, HandNode.result("\"0x2\""));
        assertThat(charged).containsExactly("a OTHER_RESULT costs: block 7: \"0x2\" (expected: \"0x01\")");
    }

    @Test
    void aBalanceOfABlockThatMayBeReplacedCostsNone() {
        pool.a.answering(HandNode.result("\"0x2\""));
        pool.b.answering(HandNode.result("\"0x1\""));
        c.answering(HandNode.result("\"0x1\""));
        send("eth_getBalance");
        assertThat(charged).containsExactly("a OTHER_RESULT: block 7: \"0x2\" (expected: \"0x1\")");
    }

    @Test
    void noAnswerIsGivenWithoutAgreement() {
        pool.a.answering(HandNode.result("\"0x1\""));
        pool.b.answering(HandNode.result("\"0x2\""));
        c.answering(HandNode.result("\"0x3\""));
        assertThat(send(CALL)).singleElement().satisfies(reply -> {
            RpcReply.Failure failure = (RpcReply.Failure) reply;
            assertThat(failure.error().code()).isEqualTo(-32010);
            assertThat(failure.error().message())
                    .isEqualTo("upstreams do not agree: 3 different answers (expected: 2 equal ones)");
        });
        assertThat(count("undecided")).isEqualTo(1);
        assertThat(charged).isEmpty();
        assertThat(bytes.taken()).isZero();
    }

    @Test
    void theErrorComesAsSoonAsAgreementIsImpossible() {
        List<RpcReply> replies = send("methods = [eth_call], of = 4", CALL);
        answer(pool.a, HandNode.result("\"0x1\""));
        answer(c, HandNode.result("\"0x2\""));
        assertThat(replies).isEmpty();
        answer(d, HandNode.result("\"0x3\""));
        assertThat(replies).hasSize(1);
        answer(pool.b, HandNode.result("\"0x1\""));
        assertThat(replies).hasSize(1);
        assertThat(count("undecided")).isEqualTo(1);
    }

    @Test
    void membersThatAreIgnoredMayDifferAtEveryDepth() {
        pool.a.answering(HandNode.result("{\"hash\":\"0x1\",\"miner\":\"x\",\"in\":[{\"time\":1,\"z\":2}]}"));
        pool.b.answering(HandNode.result("{ \"in\": [{\"z\":2}], \"hash\":\"0x1\", \"miner\":\"y\" }"));
        c.answering(HandNode.result("{\"hash\":\"0x2\"}"));
        String settings = "methods = [eth_getBlockByNumber], ignore = [miner, time]";
        assertThat(send(settings, "eth_getBlockByNumber"))
                .containsExactly(result("{\"hash\":\"0x1\",\"miner\":\"x\",\"in\":[{\"time\":1,\"z\":2}]}"));
        assertThat(charged).singleElement().asString().startsWith("c OTHER_RESULT: ");
    }

    @Test
    void revertsAgreeByTheirDataWhateverNodesCallThem() {
        pool.a.answering(CallErrors.judged(CALL, 3, "execution reverted: no", "\"0xAB\""));
        pool.b.answering(CallErrors.judged(CALL, -32000, "execution reverted: other", "\"0xab\""));
        c.answering(CallErrors.judged(CALL, 3, "execution reverted", "\"0xcd\""));
        assertThat(send(CALL))
                .singleElement()
                .satisfies(reply ->
                        assertThat(((RpcReply.Failure) reply).error().data()).hasToString("\"0xab\""));
        assertThat(count("different")).isEqualTo(1);
        assertThat(charged).containsExactly("c OTHER_RESULT: block 7: revert \"0xcd\" (expected: revert \"0xab\")");
    }

    @Test
    void aResultAndARevertDiffer() {
        pool.a.answering(CallErrors.judged(CALL, 3, "execution reverted", "\"0x\""));
        pool.b.answering(HandNode.result("\"0x\""));
        c.answering(CallErrors.judged(CALL, -32015, "VM execution error: invalid opcode", null));
        assertThat(send(CALL))
                .singleElement()
                .satisfies(reply ->
                        assertThat(((RpcReply.Failure) reply).error().code()).isEqualTo(-32010));
    }

    @Test
    void anotherNodeTakesThePlaceOfOneThatFails() {
        pool.a.answering(HandNode.unreachable());
        pool.b.answering(HandNode.result("\"0x1\""));
        c.answering(CallErrors.judged(CALL, -32000, "missing trie node", null));
        d.answering(HandNode.result("\"0x1\""));
        assertThat(send(CALL)).containsExactly(result("\"0x1\""));
        assertThat(d.asked).hasSize(1);
        assertThat(count("equal")).isEqualTo(1);
    }

    @Test
    void aNodeThatMayAnswerAfterAWaitIsReplacedAtOnce() {
        waits = "balance.wait = 5 s";
        pool.a.answering(HandNode.unreachable());
        pool.b.answering(HandNode.result("\"0x1\""));
        d.answering(HandNode.result("\"0x1\""));
        assertThat(send(CALL)).containsExactly(result("\"0x1\""));
        assertThat(List.of(pool.a, pool.b, c, d))
                .allSatisfy(node -> assertThat(node.asked).hasSize(1));
    }

    @Test
    void anAnswerThatTheCheckOfResultsRefusesIsNone() {
        pool.a.answering(HandNode.result("\"0x2\""));
        pool.b.answering(HandNode.result("\"0x2\""));
        List.of(c, d).forEach(node -> node.answering(HandNode.result("\"0x1\"")));
        context = pool.context("me", CALL, "[{},\"0x7\"]", 10_000);
        judge = (call, id, result, sink) -> sink.accept(new ReplyCheck.Checked(
                id.equals("a")
                        ? NodeOutcome.Failed.unproven(NodeOutcome.Flaw.FALSE_HASH, "false")
                        : new NodeOutcome.Answered(new RpcReply.Result(result)),
                null));
        assertThat(pool.send(stage("methods = [eth_call]", CALL), context)).containsExactly(result("\"0x1\""));
        assertThat(d.asked).hasSize(1);
        assertThat(count("different")).isEqualTo(1);
    }

    @Test
    void tooFewNodesAreAnErrorThatClientsRepeat() {
        pool.a.answering(HandNode.result("\"0x1\""));
        pool.b.health = Health.DOWN;
        c.answering(HandNode.timeout());
        d.answering(HandNode.timeout());
        assertThat(send(CALL)).singleElement().satisfies(reply -> {
            RpcReply.Failure failure = (RpcReply.Failure) reply;
            assertThat(failure.kind()).isEqualTo(RpcReply.FailureKind.UNAVAILABLE);
            assertThat(failure.error().message()).isEqualTo("too few upstreams answered: 1 (expected: 2)");
        });
        assertThat(pool.b.asked).isEmpty();
        assertThat(count("unanswered")).isEqualTo(1);
    }

    @Test
    void nullContradictsButIsChargedToNobody() {
        pool.a.answering(HandNode.result("null"));
        pool.b.answering(HandNode.result("{\"hash\":\"0x1\"}"));
        c.answering(HandNode.result("{\"hash\":\"0x1\"}"));
        assertThat(send("eth_getTransactionByHash")).containsExactly(result("{\"hash\":\"0x1\"}"));
        assertThat(count("different")).isEqualTo(1);
        assertThat(charged).isEmpty();
    }

    @Test
    void longResultsAreShownShortened() {
        String other = "\"0x" + "2".repeat(500) + '"';
        pool.a.answering(HandNode.result(other));
        pool.b.answering(HandNode.result("\"0x1\""));
        c.answering(HandNode.result("\"0x1\""));
        send(CALL);
        assertThat(charged).singleElement().asString().contains("2222…").hasSizeLessThan(200);
    }

    @ParameterizedTest
    @CsvSource({"eth_call, eth_getBalance", "'*', eth_sendRawTransaction", "'*', eth_getLogs", "'eth_get*', eth_call"})
    void otherMethodsGoTheirUsualWay(String pattern, String method) {
        send("methods = [\"" + pattern + "\"]", method);
        assertThat(passed).containsExactly(method);
        assertThat(pool.a.asked).isEmpty();
    }
}
