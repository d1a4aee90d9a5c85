package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.testing.Runs;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainState;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import io.weir.upstream.NodeOutcome;
import io.weir.verify.Lie;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Random clients ask for logs of a random chain that is reorganised, also in the middle of a call, and one of two nodes lies: it leaves logs out, adds or repeats some,
 * changes their order, has an index from before, or lies in receipts and blocks. A list that is called complete is the chain's own. Where
 * proofs are required, no other list is served, and the chain's own is served once no node lies.
 */
class LogProofModelTest {

    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aListThatIsCalledCompleteIsTheChains(boolean required) {
        int told = 0;
        int complete = 0;
        int lies = Runs.number("weir.logs.lies", 400, 10_000);
        while (told < lies) {
            try (Model model = new Model(new Random().nextLong(), required)) {
                model.run();
                told += model.lies;
                complete += model.complete;
            }
        }
        assertThat(complete).as("lists that were complete").isGreaterThan(lies / 20);
    }

    /** One network before a random chain. Confined to the test's thread, but for what its nodes answer. */
    private static final class Model implements AutoCloseable {

        private static final int STEPS = 60;

        private final String name;
        private final boolean required;
        private final Random random;
        private final TestChain chain;
        private final ServingFixture weir;
        private volatile boolean lying;
        private volatile boolean changing;
        private final Random changes;
        private volatile int lies;
        private int complete;
        private long followed;

        Model(long seed, boolean required) {
            this.name = "seed " + seed + ", required " + required;
            this.required = required;
            this.random = new Random(seed);
            this.chain = new TestChain(seed, TRANSACTIONS, Memory.FORGETS);
            chain.mine(40);
            this.weir = ServingFixture.withSettings(
                    "verify-logs = " + (required ? "refuse" : "pass"), "verify-sample = 0 %");
            this.changes = new Random(random.nextLong());
            Random draws = new Random(random.nextLong());
            weir.pool.a.answers = call -> lying ? lie(call, draws) : truth(call);
            weir.pool.b.answers = this::truth;
            follow();
        }

        /** Has the network see the newest blocks, as it does when they come. */
        private void follow() {
            weir.pool.head.named.clear();
            weir.pool.head.named.add(chain.head());
            weir.pool.head.tracker().outdate();
            weir.onLoop(loop -> weir.pool.head.whenFresh(loop, 0, number -> {}));
            for (long number = Math.max(0, chain.head() - 30); number <= chain.head(); number++) {
                weir.show(honest("eth_getBlockByNumber", "[" + hex(number) + ",false]")
                        .text());
            }
            weir.settle();
            followed = chain.state().version();
        }

        private ChainAnswer honest(String method, String params) {
            return ChainAnswers.answer(chain.state(), method, params);
        }

        /** Changes the chain while a call is under way, now and then. Called on the event loop. */
        private void change() {
            if (!changing || changes.nextInt(12) != 0) {
                return;
            }
            if (changes.nextInt(3) == 0) {
                chain.mine(1 + changes.nextInt(2));
            } else {
                chain.fork(1 + changes.nextInt(3), 2 + changes.nextInt(3));
            }
            weir.pool.head.named.clear();
            for (int i = 0; i < 4; i++) {
                weir.pool.head.named.add(chain.head());
            }
            weir.pool.head.tracker().outdate();
            for (long number = Math.max(0, chain.head() - 8); number <= chain.head(); number++) {
                weir.show(honest("eth_getBlockByNumber", "[" + hex(number) + ",false]")
                        .text());
                if (changes.nextBoolean()) {
                    weir.view.agree(number, chain.state().at(number).hash());
                }
            }
        }

        private NodeOutcome truth(RpcCall call) {
            change();
            ChainAnswer answer = honest(call.method(), String.valueOf(call.params()));
            return answer.failed() ? HandNode.error(answer.code(), answer.text()) : HandNode.result(answer.text());
        }

        /** Called on the event loop. */
        private NodeOutcome lie(RpcCall call, Random draws) {
            ChainAnswer right = honest(call.method(), String.valueOf(call.params()));
            if (right.failed() || right.text().equals("null") || draws.nextInt(4) == 0) {
                return truth(call);
            }
            JsonNode tree = VectorChain.JSON.readTree(right.text());
            String before = tree.toString();
            if (call.method().equals("eth_getLogs")) {
                change((ArrayNode) tree, draws);
            } else {
                List<Lie> all = Lie.about(tree).stream()
                        .filter(lie -> !Lie.UNCOVERED.contains(lie.member()) && lie.kind() != Lie.Kind.ABSENT)
                        .toList();
                if (!all.isEmpty()) {
                    all.get(draws.nextInt(all.size())).tell().run();
                }
            }
            lies += tree.toString().equals(before) ? 0 : 1;
            return HandNode.result(tree.toString());
        }

        /** Leaves logs out, adds one, repeats one, or changes their order. */
        private void change(ArrayNode logs, Random draws) {
            int at = logs.isEmpty() ? 0 : draws.nextInt(logs.size());
            switch (draws.nextInt(5)) {
                case 0 -> logs.removeAll();
                case 1 -> logs.remove(at);
                case 2 ->
                    VectorChain.JSON
                            .readTree(honest("eth_getLogs", "[{\"fromBlock\":\"0x1\",\"toBlock\":\"0x9\"}]")
                                    .text())
                            .valueStream()
                            .limit(1)
                            .forEach(logs::add);
                case 3 -> {
                    if (!logs.isEmpty()) {
                        logs.add(logs.get(at));
                    }
                }
                default -> {
                    if (!logs.isEmpty()) {
                        logs.add(logs.remove(at));
                    }
                }
            }
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                lying = true;
                String filter = filter();
                check(filter, false);
                lying = false;
                if (i % 3 == 0) {
                    check(filter, true);
                }
                weir.settle();
                if (random.nextInt(6) == 0) {
                    chain.mine(1 + random.nextInt(2));
                    follow();
                } else if (random.nextInt(12) == 0) {
                    chain.fork(1 + random.nextInt(4), 5);
                    follow();
                } else if (random.nextInt(12) == 0) {
                    weir.forget();
                }
            }
        }

        private String filter() {
            long to = chain.head() - random.nextInt(12);
            long from = Math.max(0, to - random.nextInt(8));
            long ahead = random.nextInt(4) == 0 ? 2 : 0;
            String place = random.nextInt(4) == 0
                    ? "\"blockHash\":\"" + chain.state().at(to).hash() + '"'
                    : "\"fromBlock\":" + hex(from + ahead) + ",\"toBlock\":" + hex(to + ahead);
            String address = random.nextBoolean()
                    ? ",\"address\":\""
                            + SignedTransactions.contract(random.nextInt(3)).hex() + '"'
                    : "";
            int positions = random.nextInt(3);
            // Nodes differ in what an empty last position means.
            String topics = IntStream.range(0, positions)
                    .mapToObj(position -> position < positions - 1 && random.nextInt(4) == 0
                            ? "[]"
                            : "[\""
                                    + SignedTransactions.topic(random.nextInt(3))
                                            .hex() + "\"]")
                    .toList()
                    .toString();
            return "[{" + place + address + ",\"topics\":" + topics + "}]";
        }

        private static String hex(long number) {
            return "\"0x" + Long.toHexString(number) + '"';
        }

        private Answer ask(String filter) {
            // Each look at the chain asks for the head.
            weir.pool.head.named.clear();
            for (int i = 0; i < 4; i++) {
                weir.pool.head.named.add(chain.head());
            }
            // The second node agrees.
            for (long number = chain.head() - 30; number <= chain.head(); number++) {
                weir.view.agree(number, chain.state().at(number).hash());
            }
            Answer answer = weir.ask("eth_getLogs", filter);
            changing = false;
            return answer;
        }

        /** @param honest whether no node lies, so that the right list is due */
        private void check(String filter, boolean honest) {
            if (honest && honest("eth_getLogs", filter).failed()) {
                return;
            }
            if (followed != chain.state().version()) {
                follow();
            }
            changing = !honest;
            ChainState before = chain.state();
            Answer answer = ask(filter);
            for (int i = 0; i < 20 && honest && answer.reply() instanceof RpcReply.Failure; i++) {
                // The two threads for proofs were busy, or the view of the chain changed while it was asked for.
                weir.settle();
                answer = ask(filter);
            }
            List<JsonNode> right = chain.since(before).stream()
                    .map(state -> ChainAnswers.answer(state, "eth_getLogs", filter))
                    .filter(one -> !one.failed())
                    .map(one -> VectorChain.JSON.readTree(one.text()))
                    .toList();
            boolean proven = answer.verified().contains("logs");
            String what = "%s: %s was answered %s, verified: %s; right is %s"
                    .formatted(name, filter, answer.reply(), answer.verified(), right);
            if (answer.reply() instanceof RpcReply.Result) {
                assertThat(proven || !required).as(what).isTrue();
                assertThat(!(proven || honest) || right.contains(answer.json()))
                        .as(what)
                        .isTrue();
                complete += proven ? 1 : 0;
            } else {
                assertThat(honest).as(what).isFalse();
            }
        }

        @Override
        public void close() {
            weir.close();
        }
    }
}
