package io.weir.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.block.BlockHeader;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.jsonrpc.text.PieceScanner;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Lists of logs, right and wrong ones, that arrive in pieces. */
class LogRulesTest {

    private static final MethodFacts FACTS = MethodCatalogue.ethereum().facts("eth_getLogs");
    private static final int LISTS = 20_000;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final TestChain chain = new TestChain(seed, new SignedTransactions(), Memory.FORGETS);

    private final class Known extends ChainFacts {

        @Override
        public long top() {
            return chain.head() - 1;
        }

        @Override
        public long newFrom() {
            return chain.head() - 3;
        }

        @Override
        public @Nullable String hash(long number) {
            TestBlock block = chain.state().at(number);
            return block == null ? null : block.hash();
        }

        @Override
        public @Nullable String agreedHash(long number) {
            return number % 3 == 0 ? hash(number) : null;
        }

        @Override
        public boolean isCanonical(String hash) {
            return chain.state().hashes().contains(hash);
        }

        @Override
        public @Nullable BlockHeader header(String hash) {
            TestBlock block = chain.state().find(hash);
            return block == null || block.number() % 5 == 0 ? null : block.header();
        }

        @Override
        public int transactions(String hash) {
            return -1;
        }

        @Override
        public boolean isEmpty(BlockSelector block) {
            return false;
        }

        @Override
        public boolean hasBlooms() {
            return true;
        }
    }

    @Test
    void aListInPiecesIsJudgedAsTheWholeOne() throws InvalidParamsException, JsonSyntaxException {
        chain.mine(30);
        Map<Judgement.Fault, Integer> faults = new EnumMap<>(Judgement.Fault.class);
        int silent = 0;
        for (int i = 0; i < LISTS; i++) {
            CheckedParams params = FACTS.params().check(RawJson.of("[" + filter() + "]"));
            String list = list(params);
            Judgement whole = Judge.judge(FACTS, params, RawJson.of(list), new Known());
            assertThat(inPieces(params, list))
                    .as("seed %d, list %d of %s: %s", seed, i, params.values(), list)
                    .isEqualTo(whole);
            if (whole.fault() != null) {
                faults.merge(whole.fault(), 1, Integer::sum);
            } else if (!whole.silent().isEmpty()) {
                silent++;
            }
        }
        assertThat(faults.keySet())
                .contains(Judgement.Fault.UNFIT, Judgement.Fault.OTHER_BRANCH, Judgement.Fault.REFUTED);
        assertThat(silent).isPositive();
    }

    @Test
    void eachLogIsJudgedWhateverItHasInCommonWithTheOneBefore() throws JsonSyntaxException {
        RawJson filter =
                RawJson.of("{\"fromBlock\":\"0x1\",\"toBlock\":\"0x3\",\"address\":\"0x" + "0".repeat(40) + "\"}");
        int unfit = 0;
        for (int i = 0; i < LISTS; i++) {
            List<String> logs = new ArrayList<>();
            String wrong = null;
            int[] log = {1, 0, 0, 0, 0};
            int[] before = {-1, 0, 0, 0, 0};
            for (int rest = random.nextInt(12); rest > 0; rest--) {
                log[2]++;
                if (random.nextInt(4) == 0) {
                    log[random.nextInt(log.length)] = random.nextInt(4);
                }
                logs.add(log(log));
                if (wrong == null && !fits(log, before)) {
                    wrong = "log " + log[2] + " of block " + log[0] + ": ";
                }
                before = log.clone();
            }
            LogRules rules = new LogRules(filter, ChainFacts.NONE);
            pass(rules, logs.toString());
            Judgement judgement = rules.judgement(ChainFacts.NONE);
            assertThat(judgement.detail())
                    .as("seed %d, list %d: %s", seed, i, logs)
                    .startsWith(wrong == null ? "" : wrong);
            assertThat(judgement.fault()).isEqualTo(wrong == null ? null : Judgement.Fault.UNFIT);
            unfit += wrong == null ? 0 : 1;
        }
        assertThat(unfit).isBetween(LISTS / 10, LISTS * 9 / 10);
    }

    /** Writes a log by its block, transaction and index; whether it was removed, and whether it has another address, both at 3. */
    private static String log(int... log) {
        return "{\"address\":\"0x%040x\",\"topics\":[\"0x%064x\"],\"blockNumber\":\"0x%x\",\"blockHash\":\"0x%064x\""
                        .formatted(log[4] / 3, log[1], log[0], log[0])
                + ",\"transactionHash\":\"0x%064x\",\"transactionIndex\":\"0x%x\",\"logIndex\":\"0x%x\",\"removed\":%b}"
                        .formatted(log[1], log[1], log[2], log[3] == 3);
    }

    private static boolean fits(int[] log, int[] before) {
        boolean later = log[0] > before[0]
                || (log[0] == before[0] && (log[1] > before[1] || (log[1] == before[1] && log[2] > before[2])));
        return later && log[0] >= 1 && log[0] <= 3 && log[3] != 3 && log[4] != 3;
    }

    private Judgement inPieces(CheckedParams params, String list) throws JsonSyntaxException {
        LogRules rules = new LogRules(params.values().get(0), new Known());
        pass(rules, list);
        return Judge.logs(params, rules, new Known());
    }

    private void pass(LogRules rules, String list) throws JsonSyntaxException {
        PieceScanner scanner = new PieceScanner();
        scanner.show(rules);
        byte[] text = list.getBytes(UTF_8);
        int most = 1 + random.nextInt(1 + random.nextInt(2_000));
        for (int at = 0; at < text.length; ) {
            int length = Math.min(text.length - at, 1 + random.nextInt(most));
            byte[] piece = new byte[length + 2];
            System.arraycopy(text, at, piece, 1, length);
            at += scanner.pass(piece, 1, 1 + length, at + length < text.length && random.nextBoolean()) - 1;
            Arrays.fill(piece, (byte) 0);
        }
    }

    private String filter() {
        String more = random.nextBoolean()
                ? ",\"address\":\""
                        + SignedTransactions.contract(random.nextInt(3)).hex() + '"'
                : "";
        more += random.nextInt(3) == 0
                ? ",\"topics\":[\""
                        + SignedTransactions.topic(random.nextInt(3)).hex() + "\"]"
                : "";
        long from = 1 + random.nextInt(30);
        return random.nextInt(4) == 0
                ? "{\"blockHash\":\"" + chain.state().at(from).hash() + '"' + more + "}"
                : "{\"fromBlock\":\"0x%x\",\"toBlock\":\"0x%x\"%s}"
                        .formatted(from, Math.min(from + random.nextInt(8), 30), more);
    }

    /** Returns the true list, or one that differs from it in one point or two. */
    private String list(CheckedParams params) {
        List<String> logs = new ArrayList<>(elements(ChainAnswers.answer(
                        chain.state(), "eth_getLogs", "[" + params.values().get(0) + "]")
                .text()));
        for (int i = random.nextInt(3); i > 0 && !logs.isEmpty(); i--) {
            int at = random.nextInt(logs.size());
            String log = logs.get(at);
            switch (random.nextInt(11)) {
                case 0 -> logs.remove(at);
                case 1 -> logs.add(at, log);
                case 2 -> Collections.reverse(logs);
                case 3 -> logs.set(at, log.replace("\"removed\":false", "\"removed\":true"));
                case 4 -> logs.set(at, log.replaceAll("\"blockHash\":\"0x..", "\"blockHash\":\"0xab"));
                case 5 -> logs.set(at, log.replaceAll("\"address\":\"0x..", "\"address\":\"0xab"));
                case 6 -> logs.set(at, log.replaceAll("\"topics\":\\[\"0x..", "\"topics\":[\"0xab"));
                case 7 -> logs.set(at, log.replaceAll("\"blockNumber\":\"0x.", "\"blockNumber\":\"0xf"));
                case 8 ->
                    logs.set(
                            at,
                            log.replaceAll(
                                    "\"data\":\"0x[0-9a-f]*\"",
                                    Matcher.quoteReplacement("\"data\":\"0x" + odd() + "\"")));
                case 9 -> logs.set(at, "{\"" + odd() + "\": [ {}, \"" + odd() + "\", -1.5 ] ," + log.substring(1));
                default -> logs.set(at, random.nextBoolean() ? "{}" : log.replace("\"0x", "\"\\u0030\\u0078"));
            }
        }
        return logs.stream().reduce("[", (left, log) -> left.length() == 1 ? left + log : left + " ,\n" + log) + "]";
    }

    private static List<String> elements(String list) {
        return new JsonMapper()
                .readTree(list)
                .valueStream()
                .map(JsonNode::toString)
                .toList();
    }

    private String odd() {
        List<String> letters = List.of("é", "😀", "\\\"", "\\u12aF", "{[", "]", ",", "0123456789abcdef".repeat(9));
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(9); i > 0; i--) {
            text.append(letters.get(random.nextInt(letters.size())));
        }
        return text.toString();
    }
}
