package io.weir.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cache.BlockKeys.BlockPosition;
import io.weir.cache.ResultLayout.Slice;
import io.weir.jsonrpc.RawJson;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.verify.ChainVectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Slices of a chain's blocks and receipts equal the answers derived from trees of them. */
class DerivationTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static ChainVectors chain;

    @BeforeAll
    static void read() {
        chain = new ChainVectors();
    }

    /** Block and its receipts as bytes, with the answers derived from trees. */
    private record Case(ObjectNode block, ArrayNode list, RawJson bytes, RawJson receipts, TreeDerivation trees) {

        static Case of(ObjectNode block, boolean spaced) {
            ArrayNode list = chain.receipts(block);
            return new Case(block, list, json(block, spaced), json(list, spaced), new TreeDerivation(block, list));
        }

        private static RawJson json(JsonNode tree, boolean spaced) {
            byte[] text = spaced
                    ? JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(tree)
                    : JSON.writeValueAsBytes(tree);
            // As a slice of a larger text.
            byte[] around = new byte[text.length + 7];
            System.arraycopy(text, 0, around, 5, text.length);
            return RawJson.slice(around, 5, text.length);
        }

        String hash() {
            return block.get("hash").asString();
        }

        String number() {
            return block.get("number").asString();
        }

        int size() {
            return block.get("transactions").size();
        }

        Slice ask(String method, String params, int index) {
            return cut(question(method, params), index);
        }

        private Slice cut(BlockQuestion question, int index) {
            assertThat(question).isNotNull();
            Slice piece = question.form().isOfReceipts()
                    ? ReceiptsLayout.read(receipts).answer(receipts, question, index, true, true)
                    : null;
            return piece != null ? piece : BlockLayout.read(bytes).answer(bytes, question, index, true, true);
        }

        void assertAnswer(String method, String params, JsonNode expected, String proven) {
            assertAnswer(method, params, -1, expected, proven);
        }

        void assertAnswer(String method, String params, int index, JsonNode expected, String proven) {
            Slice piece = ask(method, params, index);
            assertThat(piece).as("%s%s", method, params).isNotNull();
            assertThat(JSON.readTree(piece.value().toString()))
                    .as("%s%s", method, params)
                    .isEqualTo(expected);
            assertThat(piece.proven()).isEqualTo(proven);
        }
    }

    private static BlockQuestion question(String method, String params) {
        try {
            MethodFacts facts = MethodCatalogue.ethereum().facts(method);
            return BlockQuestion.of(facts.blockField(), facts.params().check(RawJson.of(params)));
        } catch (InvalidParamsException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (ObjectNode block : chain.blocks()) {
            cases.add(Case.of(block, cases.size() % 3 == 0 && cases.size() != 3));
        }
        return cases;
    }

    @Test
    void aBlockAnswersForItselfInEveryForm() {
        for (Case one : cases()) {
            String byHash = "[\"" + one.hash() + "\"";
            String byNumber = "[\"" + one.number() + "\"";
            String all = "header, transactions";
            one.assertAnswer("eth_getBlockByHash", byHash + ",true]", one.block(), all);
            one.assertAnswer("eth_getBlockByNumber", byNumber + ",true]", one.block(), all);
            one.assertAnswer(
                    "eth_getBlockByHash", byHash + ",false]", one.trees().withHashes(), all);
            one.assertAnswer(
                    "eth_getBlockByNumber", byNumber + ",false]", one.trees().withHashes(), all);
            JsonNode count = one.trees().count("transactions");
            one.assertAnswer("eth_getBlockTransactionCountByHash", byHash + "]", count, all);
            one.assertAnswer("eth_getBlockTransactionCountByNumber", byNumber + "]", count, all);
            JsonNode uncles = one.trees().count("uncles");
            one.assertAnswer("eth_getUncleCountByBlockHash", byHash + "]", uncles, "header");
            one.assertAnswer("eth_getUncleCountByBlockNumber", byNumber + "]", uncles, "header");
        }
    }

    @Test
    void aBlockAnswersForEachOfItsTransactions() {
        for (Case one : cases()) {
            for (int i = 0; i < one.size(); i++) {
                JsonNode expected = one.trees().transaction(i);
                String index = "\"0x" + Integer.toHexString(i) + "\"]";
                String byHash = "[" + expected.get("hash") + "]";
                one.assertAnswer("eth_getTransactionByHash", byHash, i, expected, "transaction");
                one.assertAnswer(
                        "eth_getTransactionByBlockHashAndIndex",
                        "[\"" + one.hash() + "\"," + index,
                        expected,
                        "transaction");
                one.assertAnswer(
                        "eth_getTransactionByBlockNumberAndIndex",
                        "[\"" + one.number() + "\"," + index,
                        expected,
                        "transaction");
                assertThat(one.ask("eth_getTransactionByHash", byHash, i + 1))
                        .as("at another place")
                        .isNull();
            }
        }
    }

    @Test
    void anAbsentPartIsProvablyNull() {
        for (Case one : cases()) {
            String behind = "\",\"0x" + Integer.toHexString(one.size()) + "\"]";
            one.assertAnswer(
                    "eth_getTransactionByBlockHashAndIndex",
                    "[\"" + one.hash() + behind,
                    JSON.nullNode(),
                    "header, transactions");
            one.assertAnswer(
                    "eth_getTransactionByBlockNumberAndIndex",
                    "[\"" + one.number() + "\",\"0xffffff\"]",
                    JSON.nullNode(),
                    "header, transactions");
            int uncles = one.block().get("uncles").size();
            one.assertAnswer(
                    "eth_getUncleByBlockHashAndIndex",
                    "[\"" + one.hash() + "\",\"0x" + uncles + "\"]",
                    JSON.nullNode(),
                    "header");
            Slice first = one.ask("eth_getUncleByBlockNumberAndIndex", "[\"" + one.number() + "\",\"0x0\"]", -1);
            assertThat(first == null)
                    .as("the block does not say what its uncles are")
                    .isEqualTo(uncles > 0);
        }
    }

    @Test
    void receiptsAnswerForThemselvesAndForEachOne() {
        for (Case one : cases()) {
            String proven = "receipts";
            one.assertAnswer("eth_getBlockReceipts", "[\"" + one.hash() + "\"]", one.list(), proven);
            one.assertAnswer("eth_getBlockReceipts", "[\"" + one.number() + "\"]", one.list(), proven);
            for (int i = 0; i < one.size(); i++) {
                JsonNode expected = one.list().get(i);
                String byHash = "[" + expected.get("transactionHash") + "]";
                one.assertAnswer("eth_getTransactionReceipt", byHash, i, expected, "receipts");
            }
        }
    }

    @Test
    void logsAreThoseThatAFilterAsksFor() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int matches = 0;
        for (Case one : cases()) {
            List<JsonNode> logs = new ArrayList<>();
            one.list().forEach(receipt -> receipt.get("logs").forEach(logs::add));
            boolean large = one.receipts().length() > 1_000_000;
            for (int i = 0; i < (large ? 2 : 40); i++) {
                ObjectNode filter = JSON.createObjectNode();
                if (random.nextBoolean()) {
                    filter.put("blockHash", one.hash());
                } else {
                    filter.put("fromBlock", one.number());
                    filter.put("toBlock", one.number());
                }
                narrow(filter, logs, random);
                ArrayNode expected = one.trees().logs(filter);
                matches += expected.isEmpty() ? 0 : 1;
                Slice piece = one.ask("eth_getLogs", "[" + filter + "]", -1);
                assertThat(JSON.readTree(piece.value().toString()))
                        .as("seed %s: %s", seed, filter)
                        .isEqualTo(expected);
            }
        }
        assertThat(matches).as("filters that match, seed %s", seed).isGreaterThan(100);
    }

    private static void narrow(ObjectNode filter, List<JsonNode> logs, Random random) {
        JsonNode log = logs.isEmpty() ? null : logs.get(random.nextInt(logs.size()));
        String stranger = "0x" + "%040x".formatted(random.nextInt(1 << 20));
        switch (random.nextInt(4)) {
            case 0 ->
                filter.put(
                        "address", log == null ? stranger : log.get("address").asString());
            case 1 -> {
                ArrayNode several = filter.putArray("address").add(stranger);
                if (log != null) {
                    several.add(log.get("address"));
                }
            }
            case 2 -> filter.putArray("address");
            default -> filter.put("address", random.nextInt(4) == 0 ? stranger : null);
        }
        if (log == null || log.get("topics").isEmpty() || random.nextInt(3) == 0) {
            return;
        }
        ArrayNode topics = filter.putArray("topics");
        int last = random.nextInt(log.get("topics").size());
        for (int i = 0; i <= last; i++) {
            JsonNode topic = log.get("topics").get(i);
            String other = "0x" + "%064x".formatted(random.nextInt());
            switch (random.nextInt(i == last ? 3 : 5)) {
                case 0 -> topics.add(topic);
                case 1 -> topics.addArray().add(other).add(topic);
                case 2 -> topics.add(random.nextInt(3) == 0 ? JSON.valueToTree(other) : topic);
                case 3 -> topics.addNull();
                default -> topics.addArray();
            }
        }
    }

    @Test
    void aFilterOfWhichNodesMakeDifferentThingsIsLeftToThem() {
        String hash = "\"0x" + "ab".repeat(32) + "\"";
        assertThat(question("eth_getLogs", "[{\"blockHash\":" + hash + ",\"topics\":[null]}]"))
                .isNull();
        assertThat(question("eth_getLogs", "[{\"blockHash\":" + hash + ",\"topics\":[[" + hash + ",null]]}]"))
                .isNull();
        assertThat(question("eth_getLogs", "[{\"fromBlock\":\"0x1\",\"toBlock\":\"0x2\"}]"))
                .isNull();
        assertThat(question("eth_getLogs", "[{\"fromBlock\":\"0x1\"}]")).isNull();
        assertThat(question("eth_getLogs", "[{\"blockHash\":" + hash + ",\"newMember\":1}]"))
                .isNull();
    }

    @Test
    void aBloomThatIsNotProvenIsNotBelieved() {
        Case one = cases().stream().filter(it -> hasLogs(it.list())).findFirst().orElseThrow();
        one.block().put("logsBloom", "0x" + "0".repeat(512));
        RawJson bytes = Case.json(one.block(), false);
        BlockQuestion all = question(
                "eth_getLogs",
                "[{\"blockHash\":\"" + one.hash() + "\",\"address\":\"" + "0x" + "11".repeat(20) + "\"}]");
        assertThat(BlockLayout.read(bytes).answer(bytes, all, -1, false, true)).isNull();
        assertThat(BlockLayout.read(bytes).answer(bytes, all, -1, true, false))
                .as("it may lack logs")
                .isNull();
        assertThat(BlockLayout.read(bytes).answer(bytes, all, -1, true, true)).isNotNull();
        one.list().forEach(receipt -> ((ObjectNode) receipt).put("logsBloom", "0x" + "0".repeat(512)));
        RawJson list = Case.json(one.list(), false);
        JsonNode log = one.trees().logs(JSON.createObjectNode()).get(0);
        BlockQuestion address = question(
                "eth_getLogs", "[{\"blockHash\":\"" + one.hash() + "\",\"address\":" + log.get("address") + "}]");
        assertThat(ReceiptsLayout.read(list)
                        .answer(list, address, -1, false, true)
                        .value()
                        .toString())
                .contains(log.get("transactionHash").asString());
    }

    private static boolean hasLogs(ArrayNode receipts) {
        return receipts.valueStream().anyMatch(receipt -> !receipt.get("logs").isEmpty());
    }

    @Test
    void anIncompleteBlockHasNoLayout() {
        Case one = cases().stream().filter(it -> it.size() > 0).findFirst().orElseThrow();
        assertThat(BlockLayout.read(RawJson.of(one.trees().withHashes().toString())))
                .as("hashes only")
                .isNull();
        String text = one.block().toString();
        assertThat(BlockLayout.read(
                        RawJson.of(text.substring(0, text.length() - 1) + ",\"hash\":\"" + one.hash() + "\"}")))
                .as("a name twice")
                .isNull();
        assertThat(BlockLayout.read(RawJson.of(text.replaceFirst("\"number\":\"0x[0-9a-f]+\"", "\"number\":\"0x\""))))
                .as("a number without digits")
                .isNull();
        assertThat(BlockLayout.read(RawJson.of("null"))).isNull();
        assertThat(BlockLayout.read(RawJson.of(text.substring(0, text.length() - 1))))
                .isNull();
        assertThat(ReceiptsLayout.read(RawJson.of("[{\"logs\":[]}]"))).isNull();
        assertThat(ReceiptsLayout.read(RawJson.of("{}"))).isNull();
    }

    @Test
    void aPositionIsReadAsItWasWritten() {
        BlockPosition place = new BlockPosition("0x" + "0f".repeat(32), 199);
        assertThat(BlockPosition.read(place.json())).isEqualTo(place);
        assertThat(BlockPosition.read(RawJson.of("[]"))).isNull();
        assertThat(BlockPosition.read(RawJson.of("\"0x1\""))).isNull();
    }
}
