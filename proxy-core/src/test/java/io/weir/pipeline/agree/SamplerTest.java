package io.weir.pipeline.agree;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.HandPool;
import io.weir.pipeline.Nodes;
import io.weir.pipeline.agree.Sampler.NodeResult;
import io.weir.pipeline.evidence.MisbehaviourTracker;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.UpstreamStatus.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One result and what two further nodes say of it: {@code a} gave it, {@code b} is asked next, {@code c} decides. */
class SamplerTest {

    private static final String BALANCE = "eth_getBalance";
    private static final RawJson PARAMS = RawJson.of("[\"0x" + "0".repeat(40) + "\",\"0x7\"]");

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private HandPool pool = new HandPool();
    private HandNode c = new HandNode("c");
    private List<String> charged = new ArrayList<>();
    private Sampler sampler = sampler();

    private Sampler sampler() {
        pool.nodes.add(c);
        MisbehaviourTracker tracker = new MisbehaviourTracker(
                "net",
                Hashing.AUTO,
                false,
                (id, flaw, detail, costs) -> charged.add(id + " " + flaw + (costs ? " costs: " : ": ") + detail));
        Nodes nodes = Nodes.of(pool, pool.forwarding());
        return new Sampler(new NetworkId("net"), nodes, tracker, pool.meters(), 1, new Random());
    }

    private List<NodeResult> take(String method, String first) {
        List<NodeResult> results = new ArrayList<>();
        NodeResult result = new NodeResult("a", RawJson.of(first));
        sampler.take(call(method), 7, result, channel.eventLoop(), results::add);
        return results;
    }

    private static RpcCall call(String method) {
        return new RpcCall(RawJson.of("1"), method, PARAMS);
    }

    private long count(String outcome) {
        return pool.counter("samples", outcome);
    }

    @ParameterizedTest
    @CsvSource({
        "eth_getBalance, 0x1a, 0x1A",
        "eth_getBalance, 0x0, 0x00",
        "eth_getTransactionCount, 0x7, 0x07",
        "eth_getStorageAt, 0x0, 0x0000000000000000000000000000000000000000000000000000000000000000",
        "eth_getCode, 0x60fE, 0x60Fe",
        "eth_call, 0xABcd, 0xabCD"
    })
    void equalValuesInOtherFormsAreEqual(String method, String first, String second) {
        pool.b.answering(HandNode.result('"' + second + '"'));
        assertThat(take(method, '"' + first + '"')).containsExactly(new NodeResult("a", RawJson.of('"' + first + '"')));
        assertThat(count("equal")).isEqualTo(1);
        assertThat(c.asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"eth_getCode, 0x, 0x00", "eth_call, 0x, 0x00", "eth_call, 0x01, 0x1", "eth_getBalance, 0x1, 0x10"})
    void otherValuesAreNot(String method, String first, String second) {
        pool.b.answering(HandNode.result('"' + second + '"'));
        c.answering(HandNode.result('"' + second + '"'));
        assertThat(take(method, '"' + first + '"'))
                .containsExactly(new NodeResult("b", RawJson.of('"' + second + '"')));
        assertThat(count("different")).isEqualTo(1);
    }

    @Test
    void tracesAreComparedAsJsonAndAnOddOneCostsNoHealth() {
        String trace = "{\"gas\":\"0x1\",\"calls\":[{\"to\":\"0xa\",\"from\":\"0xb\"}]}";
        pool.b.answering(HandNode.result("{ \"calls\" : [{\"from\":\"0xb\",\"to\":\"0xa\"}], \"gas\":\"0x1\"}"));
        assertThat(take("debug_traceBlockByNumber", trace)).containsExactly(new NodeResult("a", RawJson.of(trace)));
        assertThat(count("equal")).isEqualTo(1);

        pool.b.answering(HandNode.result("{\"gas\":\"0x2\"}"));
        c.answering(HandNode.result("{\"gas\":\"0x2\"}"));
        assertThat(take("debug_traceBlockByNumber", trace))
                .containsExactly(new NodeResult("b", RawJson.of("{\"gas\":\"0x2\"}")));
        assertThat(charged).singleElement().asString().startsWith("a OTHER_RESULT: block 7: ");
    }

    @Test
    void theSameCallGoesToTheOtherNodes() {
        pool.b.answering(HandNode.result("\"0x2\""));
        c.answering(HandNode.result("\"0x2\""));
        take(BALANCE, "\"0x1\"");
        assertThat(pool.a.asked).isEmpty();
        assertThat(pool.b.texts()).containsExactly(BALANCE + PARAMS);
        assertThat(c.texts()).containsExactly(BALANCE + PARAMS);
    }

    @Test
    void theNodeThatTwoOthersContradictIsCharged() {
        pool.b.answering(HandNode.result("\"0x2\""));
        c.answering(HandNode.result("\"0x2\""));
        take(BALANCE, "\"0x1\"");
        assertThat(charged).containsExactly("a OTHER_RESULT costs: block 7: \"0x1\" (expected: \"0x2\")");
        charged.clear();
        take(BALANCE, "\"0x2\"");
        assertThat(charged).isEmpty();
        c.answering(HandNode.result("\"0x1\""));
        assertThat(take(BALANCE, "\"0x1\"")).containsExactly(new NodeResult("a", RawJson.of("\"0x1\"")));
        assertThat(charged).containsExactly("b OTHER_RESULT costs: block 7: \"0x2\" (expected: \"0x1\")");
    }

    @Test
    void aFaultThatCannotBeNotedKeepsNoResultBack() {
        charged = null;
        pool.b.answering(HandNode.result("\"0x2\""));
        c.answering(HandNode.result("\"0x2\""));
        assertThat(take(BALANCE, "\"0x1\"")).containsExactly(new NodeResult("b", RawJson.of("\"0x2\"")));
        assertThat(count("different")).isEqualTo(1);
    }

    @Test
    void aResultThatCannotBeTakenHidesNoFault() {
        pool.b.answering(HandNode.result("\"0x2\""));
        c.answering(HandNode.result("\"0x2\""));
        sampler.take(call(BALANCE), 7, new NodeResult("a", RawJson.of("\"0x1\"")), channel.eventLoop(), result -> {
            throw new IllegalStateException("as laid down");
        });
        assertThat(charged).hasSize(1);
    }

    @Test
    void anExecutedCallCostsNoHealthBecauseClientsChooseItsCode() {
        pool.b.answering(HandNode.result("\"0x02\""));
        c.answering(HandNode.result("\"0x02\""));
        take("eth_call", "\"0x01\"");
        assertThat(charged).containsExactly("a OTHER_RESULT: block 7: \"0x01\" (expected: \"0x02\")");
    }

    @Test
    void withoutAThirdNodeADifferenceIsUndecidedAndNobodyIsCharged() {
        pool.nodes.remove(c);
        pool.b.answering(HandNode.result("\"0x2\""));
        assertThat(take(BALANCE, "\"0x1\"")).containsExactly((NodeResult) null);
        assertThat(count("undecided")).isEqualTo(1);
        assertThat(charged).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "error", "unreachable", "down"})
    void aNodeThatHasNoResultContradictsNobody(String kind) {
        for (HandNode node : List.of(pool.b, c)) {
            node.answering(
                    switch (kind) {
                        case "null" -> HandNode.result("null");
                        case "error" -> HandNode.error("missing trie node");
                        default -> HandNode.unreachable();
                    });
            node.health = kind.equals("down") ? Health.DOWN : Health.HEALTHY;
        }
        assertThat(take(BALANCE, "\"0x1\"")).containsExactly(new NodeResult("a", RawJson.of("\"0x1\"")));
        assertThat(count("skipped")).isEqualTo(1);
        assertThat(charged).isEmpty();
    }

    @Test
    void aLargeResultIsNotSampled() {
        String large = "\"0x" + "0".repeat(Sampler.MAX_BYTES) + '"';
        assertThat(take("eth_getCode", large)).hasSize(1).doesNotContainNull();
        assertThat(pool.b.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth_getProof", "eth_createAccessList", "eth_getLogs", "eth_estimateGas", "unknown_method"})
    void aResultThatNodesMayGiveDifferentlyIsNotSampled(String method) {
        assertThat(take(method, "\"0x1\"")).hasSize(1).doesNotContainNull();
        assertThat(pool.b.asked).isEmpty();
        assertThat(count("")).isZero();
    }

    @Test
    void theNumberOfSamplesAtOnceIsBoundedAndComesBack() {
        List<List<NodeResult>> waiting = new ArrayList<>();
        for (int i = 0; i < Sampler.MAX_SAMPLES; i++) {
            waiting.add(take(BALANCE, "\"0x1\""));
        }
        assertThat(waiting).allSatisfy(results -> assertThat(results).isEmpty());
        assertThat(take(BALANCE, "\"0x1\"")).hasSize(1);
        assertThat(count("skipped")).isEqualTo(1);
        List.copyOf(pool.b.asked).forEach(asked -> asked.answer(HandNode.result("\"0x1\"")));
        assertThat(waiting).allSatisfy(results -> assertThat(results).hasSize(1));
        assertThat(take(BALANCE, "\"0x1\"")).as("waits for a node again").isEmpty();
    }

    @Test
    void twoOfThreeDecideWhateverTheNodesSay() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            pool = new HandPool();
            c = new HandNode("c");
            charged = new ArrayList<>();
            sampler = sampler();
            int[] values = {1 + random.nextInt(3), random.nextInt(4), random.nextInt(4)};
            pool.b.answering(outcome(random, values[1]));
            c.answering(outcome(random, values[2]));
            String where = "seed " + seed + ", step " + i + ": " + values[0] + " " + values[1] + " " + values[2];
            NodeResult got = take(BALANCE, written(random, values[0])).get(0);
            // A node without a result is passed over, and the next one takes its turn.
            int second = values[1] == 0 ? values[2] : values[1];
            boolean three = values[1] != 0 && values[2] != 0;
            if (second == 0 || second == values[0]) {
                assertThat(got.upstreamId()).as(where).isEqualTo("a");
                assertThat(charged).as(where).isEmpty();
            } else if (three && values[2] == values[0]) {
                assertThat(got.upstreamId()).as(where).isEqualTo("a");
                assertThat(charged).as(where).singleElement().asString().startsWith("b ");
            } else if (three && values[2] == second) {
                assertThat(got.upstreamId()).as(where).isEqualTo("b");
                assertThat(charged).as(where).singleElement().asString().startsWith("a ");
            } else {
                assertThat(got).as(where).isNull();
                assertThat(charged).as(where).isEmpty();
            }
        }
    }

    private static NodeOutcome outcome(Random random, int value) {
        return value == 0 ? HandNode.unreachable() : HandNode.result(written(random, value));
    }

    private static String written(Random random, int value) {
        String digits = Integer.toHexString(9 + value);
        String text = random.nextBoolean() ? digits : digits.toUpperCase(Locale.ROOT);
        return "\"0x" + "0".repeat(random.nextInt(3)) + text + '"';
    }
}
