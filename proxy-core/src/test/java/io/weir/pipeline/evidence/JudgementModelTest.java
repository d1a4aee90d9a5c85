package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.answer.Policy;
import io.weir.answer.Policy.Extent;
import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.CacheClass;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.testing.Runs;
import io.weir.testing.chain.AskedCall;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.RandomQuestions;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import io.weir.upstream.NodeOutcome;
import io.weir.verify.Lie;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * Random clients ask about a random chain, and some nodes lie in random answers, also to the proxy's own calls. No answer reaches a client,
 * and none stays in memory, with less judged than its row of {@link Policy} says. {@code NothingIT} tells lies of absence, so that this test
 * tells none.
 */
class JudgementModelTest {

    private static final int STEPS = 250;

    private static final Pattern TAG = Pattern.compile("\"(latest|safe|finalized|earliest)\"");

    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();

    @ParameterizedTest
    @EnumSource(Verify.class)
    void noAnswerIsServedOrStoredWithLessThanItsRowSays(Verify verify) {
        int lies = 0;
        int hits = 0;
        long[] seeds =
                new Random().longs(Runs.number("weir.judgement.seeds", 4, 200)).toArray();
        for (long seed : seeds) {
            try (Model model = new Model(seed, verify)) {
                model.run();
                lies += model.lies;
                hits += model.hits;
            }
        }
        assertThat(lies).as("lies told").isGreaterThan(10 * seeds.length);
        assertThat(hits).as("answers from memory").isGreaterThan(3 * seeds.length);
    }

    /** One network before a random chain. Confined to the test's thread, but for what its nodes answer. */
    private static final class Model implements AutoCloseable {

        private final String name;
        private final Random random;
        private final TestChain chain;
        private final RandomQuestions questions;
        private final ServingFixture weir;
        private final Verify verify;
        private final List<HandNode> liars = new ArrayList<>();
        /** Answers to other questions that were told in place of answers. */
        private final List<JsonNode> foreign = Collections.synchronizedList(new ArrayList<>());

        private final List<AskedCall> asked = new ArrayList<>();
        private volatile boolean lying;
        private volatile int lies;
        private int hits;

        Model(long seed, Verify verify) {
            this.random = new Random(seed);
            int nodes = 1 + random.nextInt(2);
            this.name = "seed " + seed + ", " + verify + ", nodes " + nodes;
            this.verify = verify;
            this.chain = new TestChain(seed, TRANSACTIONS, Memory.FORGETS);
            chain.mine(100);
            chain.finalize(60);
            this.questions = new RandomQuestions(random, chain);
            this.weir = new ServingFixture(verify, Hashing.ETHEREUM, Unverifiable.REFUSE, nodes);
            weir.pool.head.named.add(chain.head());
            weir.onLoop(loop -> weir.pool.head.whenFresh(loop, 0, number -> {}));
            Collections.shuffle(weir.pool.nodes, random);
            for (int i = 0; i < weir.pool.nodes.size(); i++) {
                HandNode node = (HandNode) weir.pool.nodes.get(i);
                // At least one lies: else too few lies are told in some runs.
                boolean liar = i == 0 || random.nextBoolean();
                long own = random.nextLong();
                Random draws = new Random(own);
                node.answers = call -> liar && lying ? lie(call, draws) : truth(call);
            }
        }

        private ChainAnswer honest(String method, String params) {
            return ChainAnswers.answer(chain.state(), method, params);
        }

        private NodeOutcome truth(RpcCall call) {
            return outcome(honest(call.method(), String.valueOf(call.params())));
        }

        private static NodeOutcome outcome(ChainAnswer answer) {
            return answer.failed() ? HandNode.error(answer.code(), answer.text()) : HandNode.result(answer.text());
        }

        /** Called on the event loop. */
        private NodeOutcome lie(RpcCall call, Random draws) {
            ChainAnswer right = honest(call.method(), String.valueOf(call.params()));
            if (right.failed() || right.text().equals("null") || draws.nextInt(3) == 0) {
                return outcome(right);
            }
            JsonNode tree = VectorChain.JSON.readTree(right.text());
            if (draws.nextInt(5) == 0) {
                ChainAnswer other = other(call, draws);
                foreign.add(VectorChain.JSON.readTree(other.text()));
                lies++;
                return outcome(other);
            }
            List<Lie> all = Lie.about(tree).stream().filter(Model::isTold).toList();
            if (all.isEmpty()) {
                return outcome(right);
            }
            all.get(draws.nextInt(all.size())).tell().run();
            lies++;
            return HandNode.result(tree.toString());
        }

        private static boolean isTold(Lie lie) {
            boolean absent = lie.kind() == Lie.Kind.ABSENT;
            boolean ofPending = lie.path().equals(".blockHash");
            return !Lie.UNCOVERED.contains(lie.member())
                    && !(absent
                            && (Lie.MAY_BE_ABSENT.contains(lie.member())
                                    || ofPending
                                    || lie.path().equals(".uncles")));
        }

        /** Returns the answer to the same method about another block. */
        private ChainAnswer other(RpcCall call, Random draws) {
            for (int i = 0; i < 20; i++) {
                AskedCall question = new RandomQuestions(draws, chain).next();
                ChainAnswer answer = honest(question.method(), question.params());
                if (question.method().equals(call.method())
                        && !answer.failed()
                        && answer.text().length() > 10) {
                    return answer;
                }
            }
            return honest(call.method(), String.valueOf(call.params()));
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                AskedCall call = ofNumberOrHash();
                lying = random.nextInt(3) > 0;
                foreign.clear();
                asked.add(call);
                check(call, false);
                weir.settle();
                lying = false;
                check(asked.get(random.nextInt(asked.size())), true);
                weir.settle();
                if (random.nextInt(20) == 0) {
                    weir.forget();
                }
            }
        }

        /** Returns a call that names its blocks without tags, which are replaced before calls come here. */
        private AskedCall ofNumberOrHash() {
            AskedCall call;
            do {
                call = questions.next();
            } while (TAG.matcher(call.params()).find());
            return call;
        }

        /** @param honest whether no node lies, so that only memory can be wrong */
        private void check(AskedCall call, boolean honest) {
            Answer answer = weir.ask(call.method(), call.params());
            boolean hit = "hit".equals(answer.cache())
                    || String.valueOf(answer.cache()).startsWith("hit;");
            hits += hit ? 1 : 0;
            ChainAnswer right = honest(call.method(), call.params());
            if (!(answer.reply() instanceof RpcReply.Result) || right.failed()) {
                return;
            }
            JsonNode truth = VectorChain.JSON.readTree(right.text());
            JsonNode given = answer.json();
            if (given.isNull() || given.isEmpty() && given.isArray()) {
                return;
            }
            MethodFacts facts = MethodCatalogue.ethereum().facts(call.method());
            Set<String> wrong = foreign.contains(given) && !isOfSameBlock(given, truth)
                    ? Set.of("question")
                    : LieGroups.between(call.method(), truth, given);
            Set<String> judged = hit || honest
                    ? beforeStoring(facts)
                    : beforeServing(facts, isOfHashes(given) || isOfHashes(truth), call);
            assertThat(wrong)
                    .as(() -> "%s: %s was answered %s (%s); right is %s"
                            .formatted(name, call, given, answer.cache(), truth))
                    .noneMatch(group -> judged.contains("all") || judged.contains(group));
        }

        /** Returns whether two answers differ in the list of transactions alone. Only all of a proof tells hashes from transactions. */
        private static boolean isOfSameBlock(JsonNode given, JsonNode truth) {
            return given.equals(truth)
                    || (given.has("transactions") && given.path("hash").equals(truth.path("hash")));
        }

        private static boolean isOfHashes(JsonNode block) {
            return block.path("transactions").path(0).isString();
        }

        private Policy policy() {
            return weir.policy();
        }

        private Set<String> beforeStoring(MethodFacts facts) {
            CacheClass rule = facts.cacheClass();
            return rule != null && policy().beforeStoring(rule) == Extent.ALL ? Set.of("all") : Set.of();
        }

        private Set<String> beforeServing(MethodFacts facts, boolean ofHashes, AskedCall call) {
            CacheClass rule = facts.cacheClass();
            return switch (policy().beforeServing(facts)) {
                case NOTHING -> Set.of();
                case QUESTION, CHAIN -> ofQuestion(rule);
                case HASHES -> byHashes(rule, ofHashes);
                case ALL -> isOfOneBlock(call) ? Set.of("all") : ofQuestion(rule);
            };
        }

        private static Set<String> ofQuestion(CacheClass rule) {
            boolean compared = rule == CacheClass.BLOCK
                    || rule == CacheClass.HEADER
                    || rule == CacheClass.TRANSACTION
                    || rule == CacheClass.RECEIPT
                    || rule == CacheClass.RECEIPTS;
            return compared ? Set.of("question") : Set.of();
        }

        private static Set<String> byHashes(CacheClass rule, boolean ofHashes) {
            return switch (rule) {
                case BLOCK -> ofHashes ? Set.of("question", "header") : Set.of("question", "header", "transactions");
                case HEADER -> Set.of("question", "header");
                case UNCLE -> Set.of("header");
                case TRANSACTION -> Set.of("question", "sender", "transaction");
                default -> ofQuestion(rule);
            };
        }

        private static boolean isOfOneBlock(AskedCall call) {
            if (!call.method().equals("eth_getLogs")) {
                return true;
            }
            JsonNode filter = VectorChain.JSON.readTree(call.params()).get(0);
            return filter.has("blockHash") || filter.path("fromBlock").equals(filter.path("toBlock"));
        }

        @Override
        public void close() {
            weir.close();
        }
    }
}
