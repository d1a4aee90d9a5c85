package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.ServingFixture.Answer;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.testing.Runs;
import io.weir.upstream.NodeOutcome;
import io.weir.verify.ChainVectors;
import io.weir.verify.Lie;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Nodes tell lies about every field and every list of every kind of block, transaction, uncle and receipt, through the stages
 * that calls pass: what is verified before it is served is the truth or an error, and no lie is ever kept. The build tells a
 * random third of the kinds of lie, each of an object chosen at random. With the profile {@code thorough} of the build, the test
 * tells each kind of every form of its object, which takes minutes. {@link io.weir.verify.ProofOfLiesTest} tells them
 * of every object.
 */
class ServedLiesTest {

    private static final ChainVectors VECTORS = new ChainVectors();

    private static final boolean ALL = Runs.isThorough();

    /** Of so many kinds of lie about a member, the build tells one. */
    private static final int SAMPLE = 3;

    private static final String UNKNOWN = "memberFromTheFuture";

    /** After so many lies the budget of retries may be spent. */
    private static final int LIES_OF_ONE_NETWORK = 20;

    /** Of block 2, whose receipts are many megabytes. */
    private static final int MAX_LIES_OF_A_LARGE_ONE = 3;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final VectorChain chain = new VectorChain(VECTORS);
    private ServingFixture weir = new ServingFixture(Verify.BEFORE_SERVING);
    /** With one node. */
    private final ServingFixture keeping =
            new ServingFixture(Verify.BEFORE_CACHING, Hashing.ETHEREUM, Unverifiable.REFUSE, 1);

    private final Set<String> told = new HashSet<>();
    private int lies;

    @AfterEach
    void close() {
        weir.close();
        keeping.close();
    }

    /** One question, and the object that answers it. */
    private record Subject(String method, String params, JsonNode object, String form) {

        /** Another member beside those that are known. */
        ObjectNode holder() {
            return (ObjectNode) (object instanceof ArrayNode list ? list.get(0) : object);
        }
    }

    @Test
    void lieAboutABlock() {
        everyLie(entry -> List.of(new Subject(
                "eth_getBlockByHash",
                "[\"" + entry.hash() + "\",true]",
                entry.block(),
                "block of " + entry.block().size() + types(entry.block().get("transactions")))));
    }

    @Test
    void lieAboutAnUncle() {
        everyLie(entry -> {
            List<Subject> subjects = new ArrayList<>();
            for (int i = 0; i < entry.uncles().size(); i++) {
                String params = "[\"" + entry.hash() + "\",\"0x" + i + "\"]";
                ObjectNode uncle = entry.uncles().get(i);
                subjects.add(new Subject("eth_getUncleByBlockHashAndIndex", params, uncle, "uncle of " + uncle.size()));
            }
            return subjects;
        });
    }

    @Test
    void lieAboutATransaction() {
        everyLie(entry -> ofEach(entry.block().get("transactions"), "hash", "eth_getTransactionByHash"));
    }

    @Test
    void lieAboutAReceipt() {
        everyLie(entry -> ofEach(entry.receipts(), "transactionHash", "eth_getTransactionReceipt"));
    }

    @Test
    void lieAboutAllReceipts() {
        everyLie(entry -> entry.receipts().isEmpty()
                ? List.of()
                : List.of(new Subject(
                        "eth_getBlockReceipts",
                        "[\"" + entry.hash() + "\"]",
                        entry.receipts(),
                        "receipts" + types(entry.receipts())
                                + entry.receipts().get(0).size())));
    }

    @Test
    void lieAboutVeryManyReceipts() {
        ObjectNode block = VECTORS.blocks().get(1);
        Entry entry = new Entry(block, VECTORS.receipts(block), List.of());
        chain.put(entry);
        assertThat(entry.receipts().size()).isGreaterThan(50);
        List<Lie> all = new ArrayList<>(Lie.about(entry.receipts()));
        Collections.shuffle(all, random);
        Subject subject = new Subject(
                "eth_getBlockReceipts", "[\"" + entry.hash() + "\"]", entry.receipts(), "receipts of block 2");
        RpcReply honest = answerOf(subject);
        for (Lie lie : all.subList(0, MAX_LIES_OF_A_LARGE_ONE)) {
            if (!mayPass(lie, subject)) {
                lie.tell().run();
                RpcReply lying = new RpcReply.Result(RawJson.of(subject.object().toString()));
                lie.takeBack().run();
                served(subject, lying, honest, lie + ", seed " + seed);
                notKept(subject, lying, honest, lie + ", seed " + seed);
            }
        }
    }

    private static List<Subject> ofEach(JsonNode list, String name, String method) {
        List<Subject> subjects = new ArrayList<>();
        for (JsonNode one : list) {
            String params = "[\"" + one.get(name).stringValue() + "\"]";
            String form = method + one.path("type").asString("") + " of " + one.size();
            subjects.add(new Subject(method, params, one, form));
        }
        return subjects;
    }

    private static String types(JsonNode list) {
        Set<String> types = new HashSet<>();
        list.forEach(one -> types.add(one.path("type").asString("")));
        return types.toString();
    }

    private interface Subjects {
        List<Subject> of(Entry entry);
    }

    private void everyLie(Subjects subjects) {
        List<Entry> entries = new ArrayList<>(chain.entries());
        Collections.shuffle(entries, random);
        for (Entry entry : entries) {
            List<Subject> shuffled = new ArrayList<>(subjects.of(entry));
            Collections.shuffle(shuffled, random);
            for (Subject subject : shuffled) {
                String form = ALL ? subject.form() : "";
                for (Lie lie : Lie.about(subject.object())) {
                    String kind = form + " " + lie.kind() + lie.path().replaceAll("\\[[0-9]+]", "[]");
                    if (!mayPass(lie, subject) && told.add(kind) && (ALL || random.nextInt(SAMPLE) == 0)) {
                        tell(subject, lie);
                    }
                }
            }
        }
        assertThat(told).hasSizeGreaterThan(30);
        assertThat(lies).as("seed " + seed).isPositive();
    }

    private static boolean mayPass(Lie lie, Subject subject) {
        boolean absent = lie.kind() == Lie.Kind.ABSENT;
        boolean ofUncle = subject.method().startsWith("eth_getUncle");
        return Lie.UNCOVERED.contains(lie.member())
                || absent && Lie.MAY_BE_ABSENT.contains(lie.member())
                || absent && ofUncle && lie.path().equals(".uncles")
                // What is in no block yet names none: absence is proven by nothing.
                || absent
                        && subject.method().equals("eth_getTransactionByHash")
                        && lie.member().equals("blockHash");
    }

    private void tell(Subject subject, Lie lie) {
        if (lies % LIES_OF_ONE_NETWORK == LIES_OF_ONE_NETWORK - 1) {
            weir.close();
            weir = new ServingFixture(Verify.BEFORE_SERVING);
        }
        RpcReply honest = answerOf(subject);
        lie.tell().run();
        RpcReply lying = new RpcReply.Result(RawJson.of(subject.object().toString()));
        RpcReply strange;
        try {
            subject.holder().put(UNKNOWN, "0x1");
            strange = new RpcReply.Result(RawJson.of(subject.object().toString()));
        } finally {
            subject.holder().remove(UNKNOWN);
            lie.takeBack().run();
        }
        String what = lie + " of " + subject.method() + subject.params() + ", seed " + seed;
        served(subject, lying, honest, what);
        served(subject, strange, honest, what + ", beside an unknown member");
        notKept(subject, lying, honest, what);
        notKept(subject, strange, honest, what + ", beside an unknown member");
        lies++;
    }

    private static RpcReply answerOf(Subject subject) {
        return new RpcReply.Result(RawJson.of(subject.object().toString()));
    }

    /** One node lies and one does not; then both do. */
    private void served(Subject subject, RpcReply lying, RpcReply honest, String what) {
        weir.forget();
        lieWith(weir.pool.a, subject, lying);
        ServingFixture.serve(weir.pool.b, chain);
        Answer answer = weir.ask(subject.method(), subject.params());
        assertThat(isSame(answer.reply(), honest))
                .as(() -> what + ": " + cut(answer.reply()))
                .isTrue();
        if (lies % 10 == 0) {
            weir.forget();
            lieWith(weir.pool.b, subject, lying);
            Answer none = weir.ask(subject.method(), subject.params());
            boolean derived = none.reply().equals(honest);
            assertThat(derived || none.reply() instanceof RpcReply.Failure)
                    .as(what + ": " + none.reply())
                    .isTrue();
        }
    }

    /** A lie is not passed on, or forgotten at once: the next who asks gets what a node says then. */
    private void notKept(Subject subject, RpcReply lying, RpcReply honest, String what) {
        keeping.forget();
        HandNode node = keeping.pool.a;
        if (subject.method().equals("eth_getBlockReceipts")) {
            // Receipts are kept where their block is.
            ServingFixture.serve(node, chain);
            keeping.ask("eth_getBlockByHash", subject.params().replace("]", ",true]"));
            keeping.settle();
        }
        lieWith(node, subject, lying);
        RpcReply given = keeping.ask(subject.method(), subject.params()).reply();
        assertThat(given.equals(lying) || given instanceof RpcReply.Failure)
                .as(() -> what + ": " + cut(given))
                .isTrue();
        keeping.settle();
        ServingFixture.serve(node, chain);
        RpcReply next = keeping.ask(subject.method(), subject.params()).reply();
        assertThat(isSame(next, honest)).as(() -> what + ": " + cut(next)).isTrue();
    }

    /** Whether they are the same JSON value: members may have changed places when a lie was taken back. */
    private static boolean isSame(RpcReply reply, RpcReply honest) {
        return reply.equals(honest)
                || reply instanceof RpcReply.Result given
                        && VectorChain.JSON
                                .readTree(given.value().toString())
                                .equals(VectorChain.JSON.readTree(
                                        ((RpcReply.Result) honest).value().toString()));
    }

    private static String cut(RpcReply reply) {
        String text = reply.toString();
        return text.substring(0, Math.min(1_000, text.length()));
    }

    private void lieWith(HandNode node, Subject subject, RpcReply lying) {
        node.asked.clear();
        ServingFixture.serve(
                node,
                chain,
                call -> call.method().equals(subject.method())
                                && String.valueOf(call.params()).equals(subject.params())
                        ? new NodeOutcome.Answered(lying)
                        : null);
    }
}
