package io.weir.pipeline.evidence;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.access.Caller;
import io.weir.access.HashedKeyRing;
import io.weir.access.KeyRing;
import io.weir.access.TestAccounts;
import io.weir.access.TestCaller;
import io.weir.config.AccessConfig;
import io.weir.config.AccessConfig.BoundConfig;
import io.weir.config.AccessConfig.KeyConfig;
import io.weir.config.AccessConfig.RateConfig;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import io.weir.upstream.NodeOutcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Lists of logs before nodes that cannot give the proof, and clients that ask in unusual ways. */
class LogProofTest {

    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();

    /** Filters for logs of the newest blocks. */
    private static final List<Function<Network, String>> FORMS = List.of(
            net -> net.byHash(""),
            net -> net.range(net.chain.head(), net.chain.head(), ""),
            net -> net.range(net.chain.head() - 1, net.chain.head(), ""));

    /** One network before an honest chain, but for what a test says. Confined to the test's thread. */
    private static final class Network implements AutoCloseable {

        final TestChain chain = new TestChain(7, TRANSACTIONS, Memory.FORGETS);
        final ServingFixture weir;

        Network(String... settings) {
            chain.mine(40);
            weir = ServingFixture.withSettings(settings);
            nodes(call -> null);
            follow();
        }

        /** Has the network see the newest blocks. */
        void follow() {
            weir.pool.head.named.clear();
            weir.pool.head.named.add(chain.head());
            weir.pool.head.tracker().outdate();
            weir.onLoop(loop -> weir.pool.head.whenFresh(loop, 0, number -> {}));
            for (long number = chain.head() - 30; number <= chain.head(); number++) {
                weir.show(honest("eth_getBlockByNumber", "[" + hex(number) + ",false]")
                        .text());
            }
            weir.settle();
        }

        void nodes(Function<RpcCall, NodeOutcome> instead) {
            for (HandNode node : List.of(weir.pool.a, weir.pool.b)) {
                node.answers = call -> {
                    NodeOutcome other = instead.apply(call);
                    return other == null ? truth(call) : other;
                };
            }
        }

        /** Has nodes keep the first calls of a kind. Returns what answers these, and lets nodes answer all further ones. */
        Runnable keep(Predicate<RpcCall> which) {
            Function<RpcCall, NodeOutcome> usual = weir.pool.a.answers;
            List<HandNode> nodes = List.of(weir.pool.a, weir.pool.b);
            nodes.forEach(node -> node.answers = call -> which.test(call) ? null : usual.apply(call));
            return () -> weir.onLoop(loop -> {
                nodes.forEach(node -> node.answers = usual);
                nodes.stream()
                        .flatMap(node -> List.copyOf(node.asked).stream())
                        .filter(asked -> which.test(asked.call()))
                        .forEach(asked -> asked.answer(usual.apply(asked.call())));
            });
        }

        private NodeOutcome truth(RpcCall call) {
            ChainAnswer answer = honest(call.method(), String.valueOf(call.params()));
            return answer.failed() ? HandNode.error(answer.code(), answer.text()) : HandNode.result(answer.text());
        }

        NodeOutcome withUnknownMember(RpcCall call) {
            String text = honest(call.method(), String.valueOf(call.params())).text();
            return HandNode.result(text.replace("\"transactionHash\"", "\"newMember\":\"0x1\",\"transactionHash\""));
        }

        ChainAnswer honest(String method, String params) {
            return ChainAnswers.answer(chain.state(), method, params);
        }

        Answer ask(String filter) {
            return ask("eth_getLogs", filter);
        }

        Answer ask(String method, String params) {
            return ask(method, params, TestCaller.CLIENT);
        }

        Answer ask(String filter, Caller caller) {
            return ask("eth_getLogs", filter, caller);
        }

        private Answer ask(String method, String params, Caller caller) {
            prepare();
            Answer answer = weir.ask(method, params, 60_000, caller);
            weir.settle();
            return answer;
        }

        /** Has nodes name the head for the next call, and agree on the newest blocks. */
        void prepare() {
            for (int i = 0; i < 4; i++) {
                weir.pool.head.named.add(chain.head());
            }
            for (long number = chain.head() - 30; number <= chain.head(); number++) {
                weir.view.agree(number, chain.state().at(number).hash());
            }
        }

        JsonNode right(String filter) {
            return VectorChain.JSON.readTree(honest("eth_getLogs", filter).text());
        }

        String byHash(String more) {
            return "[{\"blockHash\":\"" + chain.state().at(chain.head()).hash() + '"' + more + "}]";
        }

        String range(long from, long to, String more) {
            return "[{\"fromBlock\":" + hex(from) + ",\"toBlock\":" + hex(to) + more + "}]";
        }

        static String hex(long number) {
            return "\"0x" + Long.toHexString(number) + '"';
        }

        long asked(String method) {
            return Stream.of(weir.pool.a, weir.pool.b)
                    .flatMap(node -> node.texts().stream())
                    .filter(text -> text.startsWith(method))
                    .count();
        }

        @Override
        public void close() {
            weir.close();
        }
    }

    private static boolean isForReceipts(RpcCall call) {
        return call.method().equals("eth_getBlockReceipts");
    }

    private static boolean isForWhole(RpcCall call) {
        return call.method().startsWith("eth_getBlockBy")
                && String.valueOf(call.params()).contains("true");
    }

    private static final List<NodeOutcome> FAULTS = List.of(
            HandNode.error(-32601, "the method eth_getBlockReceipts does not exist"),
            HandNode.error(-32000, "pruned history unavailable"),
            HandNode.error(-32603, "internal error"),
            HandNode.timeout(),
            HandNode.unreachable(),
            HandNode.result("null"),
            HandNode.result("[]"));

    @Test
    void whatNoNodeCanProveIsStillAnswered() {
        for (NodeOutcome fault : FAULTS) {
            for (Predicate<RpcCall> which :
                    List.<Predicate<RpcCall>>of(LogProofTest::isForWhole, LogProofTest::isForReceipts)) {
                for (Function<Network, String> form : FORMS) {
                    try (Network net = new Network()) {
                        net.nodes(call -> which.test(call) ? fault : null);
                        String filter = form.apply(net);
                        for (int i = 0; i < 3; i++) {
                            Answer answer = net.ask(filter);
                            assertThat(answer.reply()).as(fault + filter).isInstanceOf(RpcReply.Result.class);
                            assertThat(answer.json()).isEqualTo(net.right(filter));
                        }
                        assertThat(net.asked("eth_getLogs")).isLessThanOrEqualTo(3);
                        assertThat(net.asked("eth_getBlockReceipts")).isLessThanOrEqualTo(4);
                    }
                }
            }
        }
    }

    @Test
    void aFilterThatNodesReadDifferentlyDoesNotEndTheProofsOfOthers() {
        try (Network net = new Network()) {
            assertThat(net.ask(net.byHash(",\"topics\":[null]")).verified()).isEmpty();
            assertThat(net.ask(net.byHash("")).verified()).contains("logs");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "family = polygon",
                "family = zksync",
                "verify-unknown = pass",
                "verify = before-serving, verify-unknown = pass",
                "agree.methods = [eth_getLogs]"
            })
    void noListIsServedUnprovenWhereProofsAreRequired(String settings) {
        for (boolean unknown : List.of(false, true)) {
            try (Network net = new Network(("verify-logs = refuse, " + settings).split(", "))) {
                net.nodes(call -> unknown && isForReceipts(call) ? net.withUnknownMember(call) : null);
                long head = net.chain.head();
                net.ask("eth_getBlockByNumber", "[" + Network.hex(head) + ",true]");
                net.ask("eth_getBlockReceipts", "[" + Network.hex(head) + "]");
                List<String> filters = Stream.concat(
                                FORMS.stream().map(form -> form.apply(net)),
                                Stream.of(net.range(2, 2, ""), net.range(1, 3, ""), net.byHash(",\"topics\":[null]")))
                        .toList();
                for (String filter : filters) {
                    for (int i = 0; i < 2; i++) {
                        Answer answer = net.ask(filter);
                        assertThat(answer.reply() instanceof RpcReply.Failure
                                        || answer.verified().contains("logs"))
                                .as(filter + answer)
                                .isTrue();
                    }
                }
            }
        }
    }

    /** A request and a key that require proofs. */
    private static List<Caller> demanding() {
        RateConfig none = new RateConfig(0, 0, false);
        KeyConfig key = new KeyConfig(
                "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea",
                Set.of("*"),
                Set.of("*"),
                false,
                Unverifiable.REFUSE,
                none,
                BoundConfig.NONE);
        KeyRing keys = HashedKeyRing.of(new AccessConfig(false, none, Map.of("strict", key)), TestAccounts.create());
        return List.of(TestCaller.CLIENT.demanding(false, true), requireNonNull(keys.find("demo")));
    }

    @Test
    void whoRequiresProofsGetsNoOtherListAndOthersGetAll() {
        for (String settings : List.of(
                "gather.enabled = off",
                "family = polygon",
                "verify = before-serving, verify-unknown = pass",
                "agree.methods = [eth_getLogs]",
                "verify = off")) {
            for (Caller caller : demanding()) {
                try (Network net = new Network(settings.split(", "))) {
                    net.nodes(call -> isForReceipts(call) ? net.withUnknownMember(call) : null);
                    List<String> filters = Stream.concat(
                                    FORMS.stream().map(form -> form.apply(net)),
                                    Stream.of(net.range(2, 2, ""), net.range(1, 3, "")))
                            .toList();
                    for (String filter : filters) {
                        for (int i = 0; i < 2; i++) {
                            assertThat(net.ask(filter).reply())
                                    .as(settings + filter)
                                    .isInstanceOf(RpcReply.Result.class);
                            Answer answer = net.ask(filter, caller);
                            assertThat(answer.reply() instanceof RpcReply.Failure
                                            || answer.verified().contains("logs"))
                                    .as(settings + filter + answer)
                                    .isTrue();
                        }
                    }
                }
            }
        }
    }

    @Test
    void whoRequiresProofsGetsThemAlsoOfOldBlocks() {
        for (String settings : List.of("gather.enabled = off", "agree.methods = [eth_getLogs]")) {
            for (Caller caller : demanding()) {
                try (Network net = new Network(settings)) {
                    for (String filter :
                            List.of(net.byHash(""), net.range(net.chain.head() - 9, net.chain.head(), ""))) {
                        assertThat(net.ask(filter).verified()).doesNotContain("logs");
                        Answer answer = net.ask(filter, caller);
                        assertThat(answer.json()).isEqualTo(net.right(filter));
                        assertThat(answer.verified()).contains("logs");
                    }
                }
            }
        }
    }

    @Test
    void theErrorOfAListThatCannotBeProvenNamesItsBlockAndNode() {
        for (Caller caller : demanding()) {
            try (Network net = new Network("verify-unknown = pass")) {
                net.nodes(call -> isForReceipts(call) ? net.withUnknownMember(call) : null);
                long last = net.chain.head();
                Answer answer = net.ask(net.range(last - 1, last, ""), caller);
                assertThat(answer.failure().error().message())
                        .matches("the logs of block \\d+ are not proven to be complete, by upstream [ab]");
            }
        }
    }

    @Test
    void aNetworkThatVerifiesNothingSaysSoToWhoRequiresProofs() {
        for (String settings : List.of("verify = off", "family = none")) {
            for (Caller caller : demanding()) {
                try (Network net = new Network(settings)) {
                    long before = net.asked("eth_getLogs");
                    RpcReply.Failure failure = net.ask(net.byHash(""), caller).failure();
                    assertThat(failure.error().code()).isEqualTo(-32000);
                    assertThat(failure.error().message()).contains("the network verifies nothing");
                    assertThat(net.asked("eth_getLogs")).isEqualTo(before);
                }
            }
        }
    }

    @Test
    void callsThatRequireAProofDoNotFailOthersThatCameMeanwhile() throws Exception {
        for (Caller caller : demanding()) {
            try (Network net = new Network("verify-unknown = pass", "gather.enabled = off")) {
                String filter = net.byHash("");
                net.nodes(call -> isForReceipts(call) ? net.withUnknownMember(call) : null);
                Runnable release = net.keep(LogProofTest::isForReceipts);
                net.prepare();
                CompletableFuture<Answer> strict =
                        CompletableFuture.supplyAsync(() -> net.weir.ask("eth_getLogs", filter, 60_000, caller));
                AtomicLong asked = new AtomicLong();
                await().atMost(60, SECONDS).until(() -> {
                    net.weir.onLoop(loop -> asked.set(net.asked("eth_getBlockReceipts")));
                    return asked.get() > 0;
                });
                assertThat(net.ask(filter).json()).isEqualTo(net.right(filter));
                release.run();
                assertThat(strict.get(60, SECONDS).reply()).isInstanceOf(RpcReply.Failure.class);
            }
        }
    }

    @Test
    void aProofThatIsRequiredTakesThePlaceOfAnAgreement() {
        try (Network net = new Network("verify-logs = refuse", "agree.methods = [eth_getLogs]")) {
            for (Function<Network, String> form : FORMS) {
                assertThat(net.ask(form.apply(net)).verified()).contains("logs");
            }
        }
    }

    @Test
    void logsOfABlockThatWasReplacedDoNotEndTheProofsOfOthers() {
        try (Network net = new Network()) {
            String replaced = net.byHash("");
            net.chain.fork(1, 1);
            net.follow();
            net.ask(net.range(net.chain.head(), net.chain.head(), ""));
            assertThat(net.ask(replaced).reply()).isInstanceOf(RpcReply.Failure.class);
            assertThat(net.ask(net.byHash("")).verified()).contains("logs");
        }
    }

    @Test
    void logsOfOldBlocksAreAskedForAsTheyCome() {
        try (Network net = new Network()) {
            net.chain.mine(200);
            net.follow();
            net.nodes(call -> isForReceipts(call) ? HandNode.error("pruned history unavailable") : null);
            net.ask("eth_getBlockByNumber", "[" + Network.hex(20) + ",true]");
            String old = "[{\"blockHash\":\"" + net.chain.state().at(20).hash() + "\"}]";
            assertThat(net.ask(old).json()).isEqualTo(net.right(old));
            assertThat(net.asked("eth_getBlockReceipts")).isZero();
            net.nodes(call -> null);
            assertThat(net.ask(net.byHash("")).verified()).contains("logs");
        }
    }

    @Test
    void aProofForWhichNoNodeAnswersIsWorthAnotherCall() {
        for (Function<Network, String> form : FORMS) {
            try (Network net = new Network("verify-logs = refuse")) {
                net.nodes(call -> HandNode.unreachable());
                String filter = form.apply(net);
                assertThat(net.ask(filter).reply())
                        .as(filter)
                        .isInstanceOfSatisfying(
                                RpcReply.Failure.class,
                                failure -> assertThat(failure.kind()).isEqualTo(RpcReply.FailureKind.UNAVAILABLE));
            }
        }
    }

    @Test
    void callsPastMemoryTakeNoFurtherCallsForAProof() {
        for (Function<Network, String> form : FORMS) {
            try (Network net = new Network()) {
                String filter = form.apply(net);
                net.ask(filter);
                long before = net.weir.calls();
                for (int i = 0; i < 10; i++) {
                    net.prepare();
                    Answer answer = net.weir.ask("eth_getLogs", filter, 60_000, Caller.PROXY.fresh());
                    assertThat(answer.json()).isEqualTo(net.right(filter));
                }
                assertThat(net.weir.calls() - before).isLessThanOrEqualTo(10);
            }
        }
    }
}
