package io.weir.pipeline.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.weir.cache.tier.EntryCodec;
import io.weir.cache.tier.HandTier;
import io.weir.cache.tier.Tier;
import io.weir.cache.tier.TierEntry;
import io.weir.cache.tier.TierEntry.EntryName;
import io.weir.cache.tier.TierStack;
import io.weir.chain.Finalities;
import io.weir.ethereum.Hex;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.metrics.Meters;
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
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Random clients ask for logs of old blocks. One of two nodes lies about headers, receipts and logs, the proxy starts again now and then,
 * and what it stored is changed while it is down. A list that is called complete is the chain's own. Where proofs are required, no other list is
 * served, and the chain's own is served if the lies can be told.
 */
class OldLogsModelTest {

    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();
    private static final long FINAL = 300;
    private static final int RUN = 64;
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    @ParameterizedTest
    @CsvSource({"true, NONE", "true, OWN", "true, SHARED", "false, NONE", "false, OWN", "false, SHARED"})
    void aListThatIsCalledCompleteIsTheChains(boolean required, Store store) {
        int told = 0;
        int complete = 0;
        int lies = Runs.number("weir.logs.lies", 100, 10_000);
        while (told < lies) {
            try (Model model = new Model(new Random().nextLong(), required, store)) {
                model.run();
                told += 1 + model.lies;
                complete += model.complete;
            }
        }
        // Where no proof is required, only what the proxy's own store has is proven.
        int least = required ? lies / 40 : store == Store.OWN ? 1 : 0;
        assertThat(complete).as("lists that were complete").isGreaterThanOrEqualTo(least);
    }

    /** Where headers go. */
    enum Store {
        NONE,
        OWN,
        SHARED
    }

    /** How a node lies about a header. */
    private enum HeaderLie {
        OTHER_HEIGHT,
        FORK,
        MEMBER,
        NOTHING,
        ERROR,
        UNREACHABLE
    }

    /** One network before a chain with many final blocks. Confined to the test's thread, but for what its nodes answer. */
    private static final class Model implements AutoCloseable {

        private static final int STEPS = 40;

        private final String name;
        private final boolean required;
        private final Store store;
        private final Random random;
        private final TestChain chain;
        private final HandTier files = new HandTier("files");
        private final EntryCodec codec = new EntryCodec(1 << 10, 1 << 22);
        private final Random draws;
        private ServingFixture weir;
        private volatile boolean lying;
        private volatile HeaderLie header = HeaderLie.FORK;
        private volatile ChainState fork;
        /** The block about which no header is false, since nobody could tell. */
        private volatile long spared = -1;

        private volatile int lies;
        private int complete;

        Model(long seed, boolean required, Store store) {
            this.name = "seed " + seed + ", required " + required + ", store " + store;
            this.required = required;
            this.store = store;
            this.random = new Random(seed);
            this.chain = new TestChain(seed, TRANSACTIONS, Memory.FORGETS);
            chain.mine((int) FINAL + 20);
            this.draws = new Random(random.nextLong());
            this.fork = chain.madeUp(10, 320);
            files.shared = store == Store.SHARED;
            this.weir = open(required);
            if (!required && store != Store.NONE) {
                fill();
            }
        }

        /** Has a proxy that requires proofs store the headers, and the receipts if the store takes them. */
        private void fill() {
            weir.close();
            weir = open(true);
            for (long from = 0; from < 4 * RUN; from += RUN) {
                ask("[{\"fromBlock\":\"0x" + Long.toHexString(from) + "\",\"toBlock\":\"0x"
                        + Long.toHexString(from + RUN - 1) + "\"}]");
            }
            weir.close();
            weir = open(false);
        }

        private ServingFixture open(boolean requires) {
            ServingFixture fixture = ServingFixture.withSettings(
                    store == Store.NONE ? TierStack.NONE : new TierStack(List.of(tier())),
                    "verify-logs = " + (requires ? "refuse" : "pass"));
            fixture.pool.a.answers = call -> lying ? lie(fixture, call) : truth(fixture, call);
            fixture.pool.b.answers = call -> truth(fixture, call);
            fixture.pool.head.named.add(chain.head());
            fixture.pool.head.tracker().outdate();
            fixture.onLoop(loop -> fixture.pool.head.whenFresh(loop, 0, number -> {}));
            Finalities.raise(fixture.pool.head.finality(), FINAL);
            return fixture;
        }

        private Tier tier() {
            return new Tier(
                    files, codec, new Tier.Bounds(WAIT_NANOS, 100, 10_000, 1 << 26), new Meters(new MetricRegistry()));
        }

        private ChainAnswer honest(String method, String params) {
            return ChainAnswers.answer(chain.state(), method, params);
        }

        /** The next call goes to one of the nodes. Called on the event loop. */
        private void shuffle(ServingFixture fixture) {
            if (draws.nextBoolean()) {
                Collections.swap(fixture.pool.nodes, 0, 1);
            }
        }

        private NodeOutcome truth(ServingFixture fixture, RpcCall call) {
            shuffle(fixture);
            ChainAnswer answer = honest(call.method(), String.valueOf(call.params()));
            return answer.failed() ? HandNode.error(answer.code(), answer.text()) : HandNode.result(answer.text());
        }

        private NodeOutcome lie(ServingFixture fixture, RpcCall call) {
            ChainAnswer right = honest(call.method(), String.valueOf(call.params()));
            if (right.failed() || right.text().equals("null") || draws.nextInt(4) == 0) {
                return truth(fixture, call);
            }
            shuffle(fixture);
            JsonNode tree = VectorChain.JSON.readTree(right.text());
            if (call.method().equals("eth_getBlockByNumber")) {
                long number = Long.decode(tree.get("number").asString());
                return number == spared || number > FINAL ? truth(fixture, call) : lieOfHeader(call, number, tree);
            }
            String before = tree.toString();
            if (call.method().equals("eth_getLogs")) {
                change((ArrayNode) tree);
            } else if (draws.nextInt(4) == 0) {
                lies++;
                return HandNode.result("null");
            } else {
                member(tree);
            }
            lies += tree.toString().equals(before) ? 0 : 1;
            return HandNode.result(tree.toString());
        }

        private NodeOutcome lieOfHeader(RpcCall call, long number, JsonNode tree) {
            lies++;
            return switch (header) {
                case OTHER_HEIGHT -> HandNode.result(of(chain.state(), call, number + 1));
                case FORK -> HandNode.result(of(fork, call, number));
                case MEMBER -> {
                    member(tree);
                    yield HandNode.result(tree.toString());
                }
                case NOTHING -> HandNode.result("null");
                case ERROR -> HandNode.error(-32000, "missing trie node");
                case UNREACHABLE -> HandNode.unreachable();
            };
        }

        private static String of(ChainState state, RpcCall call, long number) {
            return ChainAnswers.answer(
                            state,
                            call.method(),
                            "[\"0x" + Long.toHexString(number) + "\","
                                    + String.valueOf(call.params()).contains("true") + "]")
                    .text();
        }

        private void member(JsonNode tree) {
            List<Lie> all = Lie.about(tree).stream()
                    .filter(lie -> !Lie.UNCOVERED.contains(lie.member()) && lie.kind() != Lie.Kind.ABSENT)
                    .toList();
            if (!all.isEmpty()) {
                all.get(draws.nextInt(all.size())).tell().run();
            }
        }

        private void change(ArrayNode logs) {
            int at = logs.isEmpty() ? 0 : draws.nextInt(logs.size());
            switch (draws.nextInt(4)) {
                case 0 -> logs.removeAll();
                case 1 -> logs.remove(at);
                case 2 ->
                    VectorChain.JSON
                            .readTree(honest("eth_getLogs", "[{\"fromBlock\":\"0x1\",\"toBlock\":\"0x9\"}]")
                                    .text())
                            .valueStream()
                            .limit(1)
                            .forEach(logs::add);
                default -> {
                    if (!logs.isEmpty()) {
                        logs.add(logs.remove(at));
                    }
                }
            }
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                header = HeaderLie.values()[random.nextInt(HeaderLie.values().length)];
                if (i % 8 == 0) {
                    fork = chain.madeUp(random.nextInt(280), 320);
                }
                long to = random.nextInt(20) == 0 ? FINAL + random.nextInt(15) : random.nextInt((int) FINAL + 1);
                long from = Math.max(0, to - random.nextInt(random.nextInt(6) == 0 ? 200 : 40));
                String filter = filter(from, to);
                boolean tellable = random.nextBoolean();
                spared = tellable ? to : -1;
                lying = true;
                check(filter, tellable && to <= FINAL, false);
                lying = false;
                if (i % 3 == 0) {
                    check(filter, true, true);
                }
                if (random.nextInt(10) == 0) {
                    weir.settle();
                    weir.close();
                    if (store != Store.NONE && random.nextBoolean()) {
                        tamper();
                    }
                    weir = open(required);
                } else if (random.nextInt(12) == 0) {
                    weir.forget();
                } else if (random.nextInt(30) == 0) {
                    weir.replaceChain();
                    Finalities.raise(weir.pool.head.finality(), FINAL);
                }
            }
        }

        /** Changes what is stored, as others could, or a broken disk. */
        private void tamper() {
            String space = files.records.entrySet().stream()
                    .filter(record ->
                            record.getValue().length == 32 && !record.getKey().contains("unproven"))
                    .map(record -> record.getKey() + ':' + new String(record.getValue()))
                    .findFirst()
                    .orElse(null);
            if (space == null) {
                return;
            }
            switch (random.nextInt(4)) {
                case 0 ->
                    files.records.replaceAll((key, bytes) -> {
                        byte[] other = bytes.clone();
                        if (other.length > 200 && random.nextBoolean()) {
                            other[random.nextInt(other.length)] ^= 1;
                        }
                        return other;
                    });
                case 1 -> files.records.put(space + ":note", note().getBytes());
                default -> {
                    // The headers of made-up blocks, of all blocks of a run or the last ones, and sometimes those of
                    // another run.
                    long run = random.nextInt(5);
                    long other = random.nextInt(4) == 0 ? random.nextInt(5) : run;
                    long onto = random.nextBoolean() ? Math.max(0, run * RUN - 1) : run * RUN + random.nextInt(RUN - 1);
                    ChainState made = chain.madeUp(Math.min(onto, FINAL), 400);
                    plant(space, run, other, random.nextInt(3) == 0 ? chain.state() : made);
                }
            }
        }

        private void plant(String space, long run, long other, ChainState made) {
            if (made.head() < other * RUN + RUN - 1) {
                return;
            }
            String text = LongStream.range(other * RUN, other * RUN + RUN)
                    .mapToObj(
                            number -> '"' + Hex.encode(made.at(number).header().rlp()) + '"')
                    .collect(Collectors.joining(",", "[", "]"));
            RawJson params = RawJson.of("[" + run + "]");
            long last = run * RUN + RUN - 1;
            TierEntry entry = new TierEntry(
                    "headers", params, RawJson.of(text), last, made.at(last).hash(), 0);
            files.records.put(EntryName.of(space, "headers", params).text(), codec.encode(space, entry));
            lies++;
        }

        private String note() {
            return switch (random.nextInt(4)) {
                case 0 -> "0-999999999";
                case 1 -> "x".repeat(100_000);
                case 2 ->
                    LongStream.range(0, 20_000)
                            .mapToObj(i -> i * 3 + "-" + (i * 3 + 1))
                            .collect(Collectors.joining(","));
                default -> "5-2,,-,999999999999999999-999999999999999999,0-300";
            };
        }

        private String filter(long from, long to) {
            String address = random.nextBoolean()
                    ? ",\"address\":\""
                            + SignedTransactions.contract(random.nextInt(3)).hex() + '"'
                    : "";
            String topics = random.nextBoolean()
                    ? ",\"topics\":[\""
                            + SignedTransactions.topic(random.nextInt(3)).hex() + "\"]"
                    : "";
            return "[{\"fromBlock\":\"0x" + Long.toHexString(from) + "\",\"toBlock\":\"0x" + Long.toHexString(to) + '"'
                    + address + topics + "}]";
        }

        private Answer ask(String filter) {
            for (int i = 0; i < 4; i++) {
                weir.pool.head.named.add(chain.head());
            }
            Answer answer = weir.ask("eth_getLogs", filter);
            weir.settle();
            return answer;
        }

        /**
         * @param due whether the right list is due
         * @param honest whether no node lies
         */
        private void check(String filter, boolean due, boolean honest) {
            Answer answer = ask(filter);
            for (int i = 0; i < 20 && due && answer.reply() instanceof RpcReply.Failure; i++) {
                // The threads for proofs were busy.
                answer = ask(filter);
            }
            JsonNode right =
                    VectorChain.JSON.readTree(honest("eth_getLogs", filter).text());
            boolean proven = answer.verified().contains("logs");
            String what = "%s: %s was answered %s, verified: %s, header %s, spared %s; right is %s"
                    .formatted(name, filter, answer.reply(), answer.verified(), header, spared, right);
            if (answer.reply() instanceof RpcReply.Result) {
                assertThat(proven || !required).as(what).isTrue();
                assertThat(!(proven || honest) || right.equals(answer.json()))
                        .as(what)
                        .isTrue();
                complete += proven ? 1 : 0;
            } else {
                // Without a store the fixture has two threads for proofs, fewer than a range asks for blocks at once.
                boolean overloaded = store == Store.NONE && what.contains("overloaded");
                assertThat(due && required && !overloaded).as(what).isFalse();
            }
        }

        @Override
        public void close() {
            weir.close();
        }
    }
}
