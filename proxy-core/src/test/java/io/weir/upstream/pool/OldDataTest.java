package io.weir.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.weir.access.Caller;
import io.weir.config.NetworkConfig;
import io.weir.jsonrpc.NetworkId;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meters;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.Stage;
import io.weir.pipeline.plan.TestForwarding;
import io.weir.testing.NetworkSettings;
import io.weir.upstream.Attempt;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.budget.UnitLedger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls about old blocks, of which the four nodes of tier 0 have dropped the data, and an archive in tier 1 has them. */
class OldDataTest {

    private static final RpcReply NOTHING = new RpcReply.Result(RawJson.NULL);
    private static final NodeOutcome REFUSED =
            new NodeOutcome.Failed(Fault.CONNECT, Executed.NO, "refuses connections", 0);
    private static final int CALLS = 1_000;
    private static final long HEAD = 20_000;
    /** The oldest block of which the pruned nodes have all data. */
    private static final long KEPT = HEAD - 5_000;

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final EventLoop loop = channel.eventLoop();
    private final MetricRegistry registry = new MetricRegistry();
    private final Random random = new Random(5);
    private final Map<String, ScriptedNode> nodes = new LinkedHashMap<>();
    private ProbedPool pool;
    private Stage stage;
    private boolean archiveOut;

    /** Node that answers at once, by the block of the call. */
    private static final class ScriptedNode implements NodeClient {

        final FakeNode probes = new FakeNode();
        private final Function<Long, NodeOutcome> answers;
        int calls;

        ScriptedNode(Function<Long, NodeOutcome> answers) {
            this.answers = answers;
            probes.head = HEAD;
            probes.probeOutcomes.put("eth_getTransactionReceipt", FakeNode.answer("null"));
            probes.probeOutcomes.put("eth_getBlockByNumber", FakeNode.answer("null"));
        }

        @Override
        public void ask(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
            calls++;
            attempt.end(answers.apply(block(call)));
        }

        @Override
        public void probe(EventLoop loop, RpcCall call, long deadlineNanos, Attempt attempt) {
            probes.probe(loop, call, deadlineNanos, attempt);
        }

        @Override
        public void close() {}
    }

    /** Form of a call about a block. */
    record Form(String method, String params, boolean byNumber, NodeOutcome lacking) {

        static Form of(String method, String params, boolean byNumber, int code, String message) {
            return new Form(
                    method,
                    params,
                    byNumber,
                    new NodeOutcome.Answered(RpcReply.failure(new RpcError(code, message, null))));
        }

        RpcCall call(long block) {
            return new RpcCall(
                    RawJson.of("1"), method, RawJson.of(params.formatted(block).replace("'", "\"")));
        }

        @Override
        public String toString() {
            return method + (byNumber ? "" : " by hash");
        }
    }

    static Stream<Form> forms() {
        return Stream.of(
                Form.of("eth_getBalance", "['0x%040x','0x%<x']", true, -32000, "missing trie node 0b6e (path )"),
                Form.of(
                        "eth_getLogs",
                        "[{'fromBlock':'0x%x','toBlock':'0x4e20'}]",
                        true,
                        4444,
                        "pruned history unavailable"),
                Form.of("eth_getBlockByNumber", "['0x%x',true]", true, 4444, "pruned history unavailable"),
                Form.of("trace_block", "['0x%x']", true, -32000, "missing trie node 0b6e (path )"),
                Form.of("debug_traceTransaction", "['0x%064x']", false, -32000, "historical state unavailable"),
                Form.of("debug_traceCall", "[{},'0x%x']", false, -32000, "historical state unavailable"),
                new Form("eth_getTransactionReceipt", "['0x%064x']", false, FakeNode.answer("null")),
                Form.of("eth_call", "[{},{'blockHash':'0x%064x'}]", false, -32000, "missing trie node 0b6e (path )"));
    }

    private static NodeOutcome found(long block) {
        return FakeNode.answer("{\"blockNumber\":\"0x%x\"}".formatted(block));
    }

    private static long block(RpcCall call) {
        String params = String.valueOf(call.params());
        String number = params.contains("fromBlock")
                ? params.replaceAll(".*fromBlock\":\"0x([0-9a-f]+).*", "$1")
                : params.replaceAll("(?s).*?\"0x([0-9a-f]+)\".*", "$1");
        return Long.parseLong(number, 16);
    }

    private void begin(Form form) {
        for (int i = 0; i < 4; i++) {
            nodes.put("pruned" + i, new ScriptedNode(block -> block < KEPT ? form.lacking() : found(block)));
        }
        nodes.put("archive", new ScriptedNode(block -> archiveOut ? REFUSED : found(block)));
        List<String> settings = new ArrayList<>(List.of("kind = plain", "hashing = none"));
        nodes.keySet()
                .forEach(id -> settings.add("upstreams." + id + " { url = \"http://127.0.0.1:1\", tier = "
                        + (id.equals("archive") ? 1 : 0) + " }"));
        NetworkConfig config = NetworkSettings.of("net", settings.toArray(String[]::new));
        pool = new ProbedPool(
                config,
                new PlainKind(),
                Map.copyOf(nodes),
                loop,
                new Meters(registry),
                ticker::nanoTime,
                () -> System.currentTimeMillis() / 1_000,
                random::nextInt,
                UnitLedger.inMemory(System::currentTimeMillis));
        stage = TestForwarding.stage(pool, config.balance(), registry, ticker::nanoTime);
        pool.start();
        channel.runPendingTasks();
    }

    private RpcReply send(Form form, long block) {
        List<RpcReply> replies = begun(form, block);
        assertThat(replies).hasSize(1);
        return replies.get(0);
    }

    /** Sends a call. Its reply ends up in the list. */
    private List<RpcReply> begun(Form form, long block) {
        CallContext context = new CallContext(
                form.call(block),
                Caller.PROXY,
                new NetworkId("net"),
                loop,
                ticker.nanoTime(),
                ticker.nanoTime() + TimeUnit.MINUTES.toNanos(1));
        if (form.byNumber()) {
            context.setRoute(context.route().toBlock(form.method().equals("eth_getLogs") ? HEAD : block, false));
        }
        List<RpcReply> replies = new ArrayList<>();
        stage.handle(context, replies::add);
        channel.runPendingTasks();
        return replies;
    }

    private void pass(long millis) {
        for (long passed = 0; passed < millis; passed += 10) {
            ticker.advanceMillis(10);
            channel.runScheduledPendingTasks();
            channel.runPendingTasks();
        }
    }

    private int prunedCalls() {
        return nodes.values().stream().mapToInt(node -> node.calls).sum() - nodes.get("archive").calls;
    }

    @ParameterizedTest
    @MethodSource("forms")
    void eachCallSucceedsAndEachNodeWithoutTheDataIsAskedOnce(Form form) {
        begin(form);
        for (int i = 0; i < CALLS; i++) {
            assertThat(send(form, 1 + random.nextInt((int) KEPT - 1)))
                    .isNotEqualTo(NOTHING)
                    .isInstanceOf(RpcReply.Result.class);
        }
        nodes.forEach((id, node) -> {
            if (!id.equals("archive")) {
                assertThat(node.calls).as(id).isLessThanOrEqualTo(1);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("forms")
    void everyTenMinutesOneCallTriesEachNodeAgain(Form form) {
        begin(form);
        for (int i = 0; i < 4; i++) {
            send(form, 7);
        }
        assertThat(prunedCalls()).isEqualTo(4);
        for (int round = 1; round <= 3; round++) {
            ticker.advance(601, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
            for (int i = 0; i < 100; i++) {
                assertThat(send(form, 7 + i)).isNotEqualTo(NOTHING).isInstanceOf(RpcReply.Result.class);
                ticker.advance(1, TimeUnit.SECONDS);
            }
            assertThat(prunedCalls()).as("round %d", round).isBetween(4 + round, 4 * (1 + round));
        }
    }

    static Stream<Form> formsByNumber() {
        return forms().filter(Form::byNumber);
    }

    @ParameterizedTest
    @MethodSource("formsByNumber")
    void whileTheArchiveIsOutCallsWaitForItAndNoNodeWithoutTheDataIsAskedAgain(Form form) {
        begin(form);
        send(form, 7);
        send(form, 7);
        assertThat(prunedCalls()).isEqualTo(4);
        archiveOut = true;
        List<List<RpcReply>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(begun(form, 1 + i % 7));
            pass(50);
        }
        assertThat(waiting).allMatch(List::isEmpty);
        archiveOut = false;
        pass(5_000);
        assertThat(waiting)
                .allSatisfy(replies -> assertThat(replies).hasSize(1).allMatch(RpcReply.Result.class::isInstance));
        assertThat(prunedCalls()).isEqualTo(4);
    }

    @ParameterizedTest
    @MethodSource("formsByNumber")
    void withoutAnArchiveEachNodeIsAskedOnceInTenMinutes(Form form) {
        begin(form);
        pool.upstreams().stream().filter(node -> node.id().equals("archive")).forEach(node -> node.drain(true));
        assertThat(send(form, 7)).isEqualTo(((NodeOutcome.Answered) form.lacking()).reply());
        assertThat(prunedCalls()).isEqualTo(4);
        for (int i = 0; i < 100; i++) {
            assertThat(send(form, 1 + i % 7))
                    .isInstanceOfSatisfying(
                            RpcReply.Failure.class,
                            failure -> assertThat(failure.error().message())
                                    .startsWith(
                                            form.method().startsWith("trace")
                                                            || form.method().equals("eth_getBalance")
                                                    ? "missing trie node"
                                                    : "pruned history unavailable"));
        }
        assertThat(prunedCalls()).isEqualTo(4);
        ticker.advance(601, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
        for (int i = 0; i < 100; i++) {
            send(form, 7);
            pass(1_000);
        }
        assertThat(prunedCalls()).isBetween(5, 8);
    }

    @Test
    void dataThatNoNodeSaidToLackIsAskedForThoughTheyAreTakenToLackIt() {
        Form balance = forms().findFirst().orElseThrow();
        begin(balance);
        pool.upstreams().stream().filter(node -> node.id().equals("archive")).forEach(node -> node.drain(true));
        send(balance, 7);
        assertThat(send(balance, KEPT + 1)).isInstanceOf(RpcReply.Result.class);
    }

    @Test
    void recentBlocksStayWithTheLowestTier() {
        Form balance = forms().findFirst().orElseThrow();
        begin(balance);
        send(balance, HEAD - 10);
        send(balance, 7);
        int before = nodes.get("archive").calls;
        for (int i = 0; i < 100; i++) {
            send(balance, HEAD - i);
        }
        assertThat(nodes.get("archive").calls).isEqualTo(before);
    }

    @Test
    void lookupsOfRecentTransactionsReturnToTheLowestTier() {
        Form receipt = forms().filter(form -> form.method().equals("eth_getTransactionReceipt"))
                .findFirst()
                .orElseThrow();
        begin(receipt);
        for (int i = 0; i < 10; i++) {
            send(receipt, 7 + i);
        }
        int before = nodes.get("archive").calls;
        for (int i = 0; i < 200; i++) {
            send(receipt, HEAD - i % 50);
        }
        assertThat(nodes.get("archive").calls - before).isEqualTo(TransactionHistory.RECENT);
    }
}
