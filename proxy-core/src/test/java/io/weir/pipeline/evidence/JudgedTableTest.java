package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.config.NetworkConfig.Hashing;
import io.weir.config.NetworkConfig.Unverifiable;
import io.weir.config.NetworkConfig.Verify;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.HandNode;
import io.weir.pipeline.evidence.VectorChain.Entry;
import io.weir.testing.PrintedTable;
import io.weir.testing.Runs;
import io.weir.upstream.NodeOutcome;
import io.weir.verify.ChainVectors;
import io.weir.verify.Lie;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * What is judged of the answers of each method before a client sees them, and before they are stored. Nodes tell lies about every member
 * and every list of the answers. The table in ARCHITECTURE.md lists the groups of lies of which none is served, or stored. The build
 * tells some lies of the listed groups, chosen at random, by one node of two and by the only node; with the profile {@code thorough} it
 * tells all lies, and compares the whole table.
 */
class JudgedTableTest {

    private static final boolean ALL = Runs.isThorough();

    private static final long HEAD = 10_000;

    /** Lies that the build tells of each answer in each mode. */
    private static final int LIES = 6;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final VectorChain chain = new VectorChain(new ChainVectors());
    private final Entry entry = rich(Set.of());
    private final Entry other = rich(Set.of(entry.hash()));

    private Entry rich(Set<String> besides) {
        return chain.first(one -> one.block().get("transactions").size() > 2
                && one.receipts()
                        .valueStream()
                        .anyMatch(receipt -> receipt.get("logs").size() > 1)
                && one.uncles().isEmpty()
                && !besides.contains(one.hash()));
    }

    /**
     * A call, and the right answer.
     *
     * @param row its name in the table
     * @param before the call that a client makes before it; null if it makes none
     */
    private record Question(String row, String method, String params, Question before) {}

    private List<Question> questions(Entry of) {
        JsonNode transaction = of.block().get("transactions").get(1);
        String hash = '"' + of.hash() + '"';
        String byHash = "[\"" + transaction.get("hash").stringValue() + "\"]";
        Question block = of("eth_getBlockByHash", "[" + hash + ",true]");
        Question receipts = of("eth_getBlockReceipts", "[" + hash + "]");
        return List.of(
                block,
                of("eth_getHeaderByHash", "[" + hash + "]"),
                of("eth_getUncleByBlockHashAndIndex", uncleOf(of)),
                of("eth_getTransactionByHash", byHash),
                of("eth_getTransactionByBlockHashAndIndex", "[" + hash + ",\"0x1\"]"),
                receipts,
                new Question("`eth_getBlockReceipts` after the block", receipts.method(), receipts.params(), block),
                of("eth_getTransactionReceipt", byHash),
                of("eth_getBlockTransactionCountByHash", "[" + hash + "]"),
                new Question("`eth_getLogs` of a block", "eth_getLogs", "[{\"blockHash\":" + hash + "}]", null),
                new Question(
                        "`eth_getLogs` of a block after it", "eth_getLogs", "[{\"blockHash\":" + hash + "}]", block));
    }

    /** Parameters of the first uncle of one of two blocks. */
    private String uncleOf(Entry of) {
        List<Entry> with = chain.entries().stream()
                .filter(one -> !one.uncles().isEmpty())
                .sorted(Comparator.comparing(Entry::hash))
                .toList();
        return "[\"" + with.get(of.equals(entry) ? 0 : 1).hash() + "\",\"0x0\"]";
    }

    private static Question of(String method, String params) {
        return new Question('`' + method + '`', method, params, null);
    }

    /** A false answer of a group of lies. */
    private record FalseAnswer(String group, String what, RpcReply reply) {}

    private List<FalseAnswer> lies(Question question, RpcReply foreign) {
        List<FalseAnswer> lies = new ArrayList<>();
        JsonNode object = chain.answer(question.method(), VectorChain.JSON.readTree(question.params()))
                .deepCopy();
        for (Lie lie : Lie.about(object)) {
            if (!Lie.UNCOVERED.contains(lie.member()) && !mayBeAbsent(lie, question)) {
                lie.tell().run();
                lies.add(new FalseAnswer(LieGroups.of(question.method(), lie), lie.toString(), reply(object)));
                lie.takeBack().run();
            }
        }
        if (object.isString()) {
            lies.add(new FalseAnswer("count", "another number", new RpcReply.Result(RawJson.of("\"0x77\""))));
        }
        lies.add(new FalseAnswer("question", "the answer to another question", foreign));
        return lies;
    }

    private static RpcReply reply(JsonNode object) {
        return new RpcReply.Result(RawJson.of(object.toString()));
    }

    private static boolean mayBeAbsent(Lie lie, Question question) {
        boolean absent = lie.kind() == Lie.Kind.ABSENT;
        boolean ofPending = question.method().startsWith("eth_getTransactionBy")
                && lie.member().equals("blockHash");
        return absent
                && (Lie.MAY_BE_ABSENT.contains(lie.member())
                        || ofPending
                        || lie.path().equals(".uncles"));
    }

    /** What becomes of lies in one mode. */
    private final class Mode implements AutoCloseable {

        private final ServingFixture weir;
        private boolean told;

        Mode(Verify verify, int nodes) {
            weir = new ServingFixture(verify, Hashing.ETHEREUM, Unverifiable.REFUSE, nodes);
            weir.pool.nodes.forEach(node -> ServingFixture.serve((HandNode) node, chain));
            // Nothing is known of old blocks before a client asks for them.
            weir.pool.head.named.add(HEAD);
            weir.onLoop(loop -> weir.pool.head.whenFresh(loop, 0, number -> {}));
        }

        private boolean isServed(Question question, FalseAnswer lie) {
            weir.forget();
            if (question.before() != null) {
                weir.ask(question.before().method(), question.before().params());
                weir.settle();
            }
            told = false;
            ServingFixture.serve(weir.pool.a, chain, call -> {
                boolean same = call.method().equals(question.method())
                        && String.valueOf(call.params()).equals(question.params());
                told |= same;
                return same ? new NodeOutcome.Answered(lie.reply()) : null;
            });
            RpcReply given = weir.ask(question.method(), question.params()).reply();
            weir.settle();
            ServingFixture.serve(weir.pool.a, chain);
            return !(given instanceof RpcReply.Failure) && !isRight(question, given);
        }

        /** After it was told. */
        private boolean isStored(Question question) {
            return !isRight(
                    question, weir.ask(question.method(), question.params()).reply());
        }

        @Override
        public void close() {
            weir.close();
        }
    }

    private boolean isRight(Question question, RpcReply reply) {
        return reply instanceof RpcReply.Result result
                && VectorChain.JSON
                        .readTree(result.value().toString())
                        .equals(chain.answer(question.method(), VectorChain.JSON.readTree(question.params())));
    }

    /** Groups of lies about one answer. */
    private record Judged(Set<String> told, Set<String> served, Set<String> stored) {

        Set<String> beforeServing() {
            return without(told, served);
        }

        Set<String> beforeStoring() {
            return without(told, stored);
        }
    }

    private Judged judged(Verify verify, int nodes, int index, Set<String> groups, int most) {
        Question question = questions(entry).get(index);
        Question foreign = questions(other).get(index);
        RpcReply foreignAnswer = reply(chain.answer(foreign.method(), VectorChain.JSON.readTree(foreign.params())));
        List<FalseAnswer> lies = lies(question, foreignAnswer);
        Set<String> told = new LinkedHashSet<>();
        Set<String> served = new TreeSet<>();
        Set<String> stored = new TreeSet<>();
        Collections.shuffle(lies, random);
        // One of each group first: most are of the largest.
        Set<String> groupsBefore = new LinkedHashSet<>();
        List<FalseAnswer> more = new ArrayList<>();
        List<FalseAnswer> ordered = new ArrayList<>();
        lies.forEach(lie -> (groupsBefore.add(lie.group()) ? ordered : more).add(lie));
        ordered.addAll(more);
        try (Mode mode = new Mode(verify, nodes)) {
            ordered.stream()
                    .filter(lie -> groups.isEmpty() || groups.contains(lie.group()))
                    .limit(most)
                    .forEach(lie -> {
                        if (mode.isServed(question, lie)) {
                            served.add(lie.group());
                        }
                        // A proof may ask for the block in its place.
                        if (mode.told || verify == Verify.BEFORE_SERVING) {
                            told.add(lie.group());
                        }
                        if (mode.isStored(question)) {
                            stored.add(lie.group());
                        }
                    });
        }
        return new Judged(told, served, stored);
    }

    private static Set<String> without(Set<String> told, Set<String> passed) {
        Set<String> left = new LinkedHashSet<>(told);
        left.removeAll(passed);
        return left;
    }

    @Test
    void theTableOfWhatIsJudgedIsTrue() throws IOException {
        PrintedTable printed = new PrintedTable("judged");
        if (ALL) {
            printed.assertPrinted(table());
        }
        String table = printed.text();
        if (!ALL) {
            assertListed(table, 2);
        }
        assertListed(table, 1);
    }

    private List<String> table() {
        List<String> rows = new ArrayList<>(List.of(
                "| answer to | `off` | `before-caching` | `before-caching`, before it is stored | `before-serving` |",
                "|---|---|---|---|---|"));
        for (int i = 0; i < questions(entry).size(); i++) {
            Judged off = judged(Verify.OFF, 2, i, Set.of(), Integer.MAX_VALUE);
            Judged caching = judged(Verify.BEFORE_CACHING, 2, i, Set.of(), Integer.MAX_VALUE);
            Judged serving = judged(Verify.BEFORE_SERVING, 2, i, Set.of(), Integer.MAX_VALUE);
            Set<String> later = without(caching.beforeStoring(), caching.beforeServing());
            rows.add(Stream.of(off.beforeServing(), caching.beforeServing(), later, serving.beforeServing())
                    .map(JudgedTableTest::cell)
                    .collect(Collectors.joining(
                            " | ", "| " + questions(entry).get(i).row() + " | ", " |")));
        }
        return rows;
    }

    private static String cell(Set<String> groups) {
        return groups.isEmpty() ? "–" : groups.stream().sorted().collect(Collectors.joining(", "));
    }

    /** Tells lies of the groups that the table lists. */
    private void assertListed(String table, int nodes) {
        List<String[]> rows =
                table.lines().skip(2).map(line -> line.split(" \\| | \\|$")).toList();
        assertThat(rows).hasSize(questions(entry).size());
        for (int i = 0; i < rows.size(); i++) {
            String[] row = rows.get(i);
            assertThat(row[0]).isEqualTo("| " + questions(entry).get(i).row());
            assertListed(Verify.OFF, nodes, i, groups(row[1]), Set.of());
            assertListed(Verify.BEFORE_CACHING, nodes, i, groups(row[2]), groups(row[3]));
            if (nodes > 1) {
                // Alone, nobody tells another place of a block.
                assertListed(Verify.BEFORE_SERVING, nodes, i, groups(row[4]), Set.of());
            }
        }
    }

    private void assertListed(Verify verify, int nodes, int index, Set<String> serving, Set<String> later) {
        Set<String> storing = new TreeSet<>(serving);
        storing.addAll(later);
        Judged judged = judged(verify, nodes, index, storing, storing.isEmpty() ? 0 : LIES);
        String what = questions(entry).get(index).row() + ", " + verify + ", nodes " + nodes + ", seed " + seed;
        assertThat(judged.served()).as("served: " + what).noneMatch(serving::contains);
        assertThat(judged.stored()).as("stored: " + what).noneMatch(storing::contains);
        assertThat(judged.told().isEmpty()).as("told: " + what).isEqualTo(storing.isEmpty());
    }

    private static Set<String> groups(String cell) {
        return cell.equals("–") ? Set.of() : Set.of(cell.split(", "));
    }
}
