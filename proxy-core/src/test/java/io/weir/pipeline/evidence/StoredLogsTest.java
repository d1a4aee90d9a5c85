package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.weir.access.RateGate;
import io.weir.access.TestCaller;
import io.weir.cache.tier.DiskTier;
import io.weir.cache.tier.EntryCodec;
import io.weir.cache.tier.Tier;
import io.weir.cache.tier.TierStack;
import io.weir.chain.BlockLink;
import io.weir.chain.Finalities;
import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcCall;
import io.weir.metrics.Meters;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainState;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import io.weir.upstream.NodeOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Lists of logs of old blocks, whose headers and receipts were proven and outlast a restart. */
class StoredLogsTest {

    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();
    private static final long FINAL = 300;
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    @TempDir
    private Path folder;

    private TestChain chain = new TestChain(9, TRANSACTIONS, Memory.FORGETS);
    private @Nullable ServingFixture open;
    private ServingFixture weir;

    @AfterEach
    void close() {
        if (open != null) {
            open.close();
        }
    }

    private void open(Path files, String... settings) throws IOException {
        close();
        DiskTier disk = DiskTier.open(files, 1 << 26);
        Tier tier = new Tier(
                disk,
                new EntryCodec(1 << 10, 1 << 22),
                new Tier.Bounds(WAIT_NANOS, 100, 10_000, 1 << 26),
                new Meters(new MetricRegistry()));
        weir = ServingFixture.withSettings(new TierStack(List.of(tier)), settings);
        open = weir;
        await().until(() -> disk.state().equals("up"));
        weir.pool.head.named.add(chain.head());
        weir.pool.head.tracker().outdate();
        weir.onLoop(loop -> weir.pool.head.whenFresh(loop, 0, number -> {}));
        Finalities.raise(weir.pool.head.finality(), FINAL);
        nodes(call -> null);
    }

    private void nodes(Function<RpcCall, NodeOutcome> instead) {
        for (HandNode node : List.of(weir.pool.a, weir.pool.b)) {
            node.answers = call -> {
                NodeOutcome other = instead.apply(call);
                return other == null ? truth(call) : other;
            };
        }
    }

    private NodeOutcome truth(RpcCall call) {
        ChainAnswer answer = honest(call.method(), String.valueOf(call.params()));
        return answer.failed() ? HandNode.error(answer.code(), answer.text()) : HandNode.result(answer.text());
    }

    private ChainAnswer honest(String method, String params) {
        return ChainAnswers.answer(chain.state(), method, params);
    }

    private Answer ask(String filter) {
        for (int i = 0; i < 4; i++) {
            weir.pool.head.named.add(chain.head());
        }
        Answer answer = weir.ask("eth_getLogs", filter);
        weir.settle();
        return answer;
    }

    private JsonNode right(String filter) {
        return VectorChain.JSON.readTree(honest("eth_getLogs", filter).text());
    }

    private static String range(long from, long to, String more) {
        return "[{\"fromBlock\":\"0x" + Long.toHexString(from) + "\",\"toBlock\":\"0x" + Long.toHexString(to) + '"'
                + more + "}]";
    }

    private String topicOf(long number) {
        JsonNode logs = right(range(number, FINAL, ""));
        return ",\"topics\":[" + logs.get(0).get("topics").get(0) + "]";
    }

    private long asked(String method) {
        return Stream.of(weir.pool.a, weir.pool.b)
                .flatMap(node -> node.texts().stream())
                .filter(text -> text.startsWith(method))
                .count();
    }

    private long askedForLogs() {
        return asked("eth_getLogs") + asked("eth_getBlockReceipts") + asked("eth_getBlockByHash");
    }

    @Test
    void theyAreProvenByHeadersThatAreFetchedOnce() throws IOException {
        chain.mine(400);
        open(folder, "verify-logs = refuse");
        String filter = range(20, 60, topicOf(30));
        Answer answer = ask(filter);
        assertThat(answer.json()).isEqualTo(right(filter));
        assertThat(answer.verified()).contains("logs");
        assertThat(asked("eth_getLogs")).isZero();
        long headers = asked("eth_getBlockByNumber");
        String other = range(21, 59, topicOf(50));
        assertThat(ask(other).json()).isEqualTo(right(other));
        assertThat(asked("eth_getBlockByNumber")).isEqualTo(headers);
    }

    @Test
    void theyAreProvenThoughNobodyRequiresItWithinTheCallsOfASetting() throws IOException {
        chain.mine(400);
        String filter = range(20, 60, topicOf(30));
        for (String calls : List.of("pass", "0", "41", "300")) {
            open(folder.resolve(calls), "verify-logs = " + calls);
            Answer answer = ask(filter);
            assertThat(answer.json()).isEqualTo(right(filter));
            assertThat(answer.verified().contains("logs")).as(calls).isEqualTo(calls.equals("300"));
            assertThat(asked("eth_getLogs")).as(calls).isEqualTo(calls.equals("300") ? 0 : 1);
            assertThat(asked("eth_getBlockByNumber")).as(calls).isLessThanOrEqualTo(44);
        }
    }

    @Test
    void theyAreAnsweredAfterARestartWithoutAnyCallForThem() throws IOException {
        chain.mine(400);
        open(folder, "verify-logs = refuse");
        for (long from = 0; from < 256; from += 64) {
            String filter = range(from, from + 63, "");
            Answer answer = ask(filter);
            assertThat(answer.json()).isEqualTo(right(filter));
            assertThat(answer.verified()).contains("logs");
        }
        for (String setting : List.of("verify-logs = refuse", "verify-logs = pass")) {
            open(folder, setting);
            ask(range(0, 0, ""));
            for (String filter :
                    List.of(range(0, 255, ""), range(3, 200, topicOf(100)), range(64, 127, ""), range(100, 101, ""))) {
                long before = askedForLogs();
                Answer answer = ask(filter);
                assertThat(answer.json()).as(setting + filter).isEqualTo(right(filter));
                assertThat(answer.verified()).as(setting + filter).contains("logs");
                assertThat(askedForLogs() - before).as(setting + filter).isZero();
            }
        }
    }

    @Test
    void aNodeWithoutOneHeaderOrWithAnotherBlocksCostsNoFurtherReceipts() throws IOException {
        chain.mine(400);
        ChainState fork = chain.madeUp(30, 100);
        String filter = range(20, 60, topicOf(30));
        List<Long> costs = new ArrayList<>();
        for (int lie = 0; lie < 3; lie++) {
            int told = lie;
            open(folder.resolve(String.valueOf(lie)), "verify-logs = refuse");
            weir.pool.a.answers = call -> {
                boolean isOf40 = String.valueOf(call.params()).contains("\"0x28\"");
                String false40 = told == 1
                        ? "null"
                        : ChainAnswers.answer(fork, call.method(), String.valueOf(call.params()))
                                .text();
                if (isOf40) {
                    // The next header is the other node's.
                    Collections.swap(weir.pool.nodes, 0, 1);
                }
                return isOf40 && told > 0 ? HandNode.result(false40) : truth(call);
            };
            weir.pool.b.answers = call -> {
                if (weir.pool.nodes.indexOf(weir.pool.b) == 0) {
                    Collections.swap(weir.pool.nodes, 0, 1);
                }
                return truth(call);
            };
            Answer answer = ask(filter);
            assertThat(answer.json()).isEqualTo(right(filter));
            assertThat(answer.verified()).contains("logs");
            costs.add(askedForLogs());
        }
        assertThat(costs).containsOnly(costs.get(0));
    }

    @Test
    void aLoadUnderWayKeepsNoHeaderOfAChainThatIsReplaced() throws Exception {
        chain.mine(400);
        open(folder, "verify-logs = refuse");
        // The other node confirms the last block.
        String filter = range(0, 63, "");
        CompletableFuture<HandNode.Asked> held = new CompletableFuture<>();
        weir.pool.b.answers = call -> {
            if (call.method().equals("eth_getBlockByNumber")
                    && String.valueOf(call.params()).contains("\"0x3f\"")
                    && !held.isDone()) {
                held.complete(weir.pool.b.asked.get(weir.pool.b.asked.size() - 1));
                return null;
            }
            return truth(call);
        };
        CompletableFuture<Answer> before = CompletableFuture.supplyAsync(() -> ask(filter));
        HandNode.Asked asked = held.get(60, TimeUnit.SECONDS);
        NodeOutcome old = truth(asked.call());
        chain = new TestChain(10, TRANSACTIONS, Memory.FORGETS);
        chain.mine(400);
        weir.replaceChain();
        Finalities.raise(weir.pool.head.finality(), FINAL);
        weir.onLoop(loop -> asked.answer(old));
        before.get(60, TimeUnit.SECONDS);
        for (int i = 0; i < 2; i++) {
            Answer after = ask(filter);
            assertThat(after.reply().toString()).as("i" + i).startsWith("Result");
            assertThat(after.json()).isEqualTo(right(filter));
            assertThat(after.verified()).contains("logs");
            open(folder, "verify-logs = refuse");
        }
    }

    @Test
    void blocksThatOneNodeNamedAloneAreNotTakenAsFinal() throws IOException {
        chain.mine(310);
        open(folder, "verify-logs = refuse");
        ChainState fork = chain.madeUp(280, 30);
        List<BlockLink> branch = new ArrayList<>();
        for (long number = 310; number > 280; number--) {
            TestBlock block = fork.at(number);
            branch.add(new BlockLink(
                    number, block.hash(), block.header().parentHash().hex()));
            weir.show(
                    ChainAnswers.answer(fork, "eth_getBlockByNumber", "[\"0x" + Long.toHexString(number) + "\",false]")
                            .text());
        }
        weir.view.restart(branch, "a");
        weir.view.settle(FINAL);
        String filter = range(285, FINAL, topicOf(285));
        Answer answer = ask(filter);
        assertThat(answer.json()).isEqualTo(right(filter));
        assertThat(answer.verified()).contains("logs");
    }

    @Test
    void aCallerWhoMayNotPayForTheHeadersHearsOfItsRate() throws IOException {
        chain.mine(400);
        open(folder, "verify-logs = refuse");
        ask(range(0, 191, topicOf(30)));
        RateGate rate = new RateGate() {

            @Override
            public boolean weighted() {
                return false;
            }

            @Override
            public long perSecond() {
                return 1;
            }

            @Override
            public long admit(long units) {
                return NEVER;
            }

            @Override
            public void giveBack(long units) {}

            @Override
            public void charge(long units) {}
        };
        Answer answer = weir.ask("eth_getLogs", range(0, FINAL, ""), 60_000, TestCaller.of("client", rate));
        assertThat(answer.failure().error().code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED.code());
    }
}
