package io.weir.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.answer.Judgement.Fault;
import io.weir.ethereum.block.BlockHeader;
import io.weir.jsonrpc.RawJson;
import io.weir.method.MethodFacts;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.method.params.kind.InvalidParamsException;
import io.weir.testing.chain.AskedCall;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.RandomQuestions;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.SignedTransactions.Signed;
import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is an answer, by the question and by what is known of a chain. */
class JudgeTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final MethodCatalogue METHODS = MethodCatalogue.ethereum();
    private static final int CALLS = 5_000;
    /** The block that the cases are about. It has transactions with logs, as the one before it. */
    private static final int BLOCK = 10;

    private final long seed = new Random().nextLong();
    private final TestChain chain = new TestChain(seed, new SignedTransactions(), Memory.FORGETS);
    /** Height from which on headers are known. */
    private long headersFrom;

    private final class Known extends ChainFacts {

        @Override
        public long top() {
            return chain.head();
        }

        @Override
        public long newFrom() {
            return chain.head() - 2;
        }

        @Override
        public @Nullable String hash(long number) {
            TestBlock block = chain.state().at(number);
            return block == null ? null : block.hash();
        }

        @Override
        public @Nullable String agreedHash(long number) {
            return hash(number);
        }

        @Override
        public boolean isCanonical(String hash) {
            return chain.state().hashes().contains(hash);
        }

        @Override
        public @Nullable BlockHeader header(String hash) {
            TestBlock block = chain.state().find(hash);
            return block == null || block.number() < headersFrom ? null : block.header();
        }

        @Override
        public int transactions(String hash) {
            TestBlock block = chain.state().find(hash);
            return block == null ? -1 : block.transactions().size();
        }

        @Override
        public boolean isEmpty(BlockSelector block) {
            return false;
        }

        @Override
        public boolean hashesTransactions() {
            return true;
        }

        @Override
        public boolean hasBlooms() {
            return true;
        }
    }

    private Judgement judge(String method, String params, String result) {
        MethodFacts facts = METHODS.facts(method);
        try {
            CheckedParams checked = facts.params().check(RawJson.of(params));
            return Judge.judge(facts, checked, RawJson.of(result), new Known());
        } catch (InvalidParamsException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private void mine() {
        chain.mine(BLOCK - 2);
        chain.mineOf(6);
        chain.mineOf(6);
        chain.mine(3);
    }

    private String truth(String method, String params) {
        return ChainAnswers.answer(chain.state(), method, params).text();
    }

    /** Returns a text with the block's number for {@code #N}, its hash for {@code #H} and its first transaction for {@code #T}. */
    private String named(String text) {
        TestBlock block = chain.state().at(BLOCK);
        return text.replace("#N", "\"0x" + Integer.toHexString(BLOCK) + '"')
                .replace("#H", '"' + block.hash() + '"')
                .replace("#T", '"' + block.transactions().get(0).hash().hex() + '"');
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBlockWithItsTransactionsInTheOtherFormIsNoAnswer(boolean whole) {
        mine();
        String other = truth("eth_getBlockByNumber", named("[#N," + !whole + "]"));
        assertThat(judge("eth_getBlockByNumber", named("[#N," + whole + "]"), other)
                        .fault())
                .isEqualTo(Fault.UNFIT);
    }

    @Test
    void noHonestAnswerHasAFault() {
        mine();
        chain.mine(40);
        headersFrom = 20;
        RandomQuestions questions = new RandomQuestions(new Random(seed), chain);
        for (int i = 0; i < CALLS; i++) {
            AskedCall call = questions.next();
            ChainAnswer truth = ChainAnswers.answer(chain.state(), call.method(), call.params());
            if (!truth.failed()) {
                Judgement judgement = judge(call.method(), call.params(), truth.text());
                assertThat(judgement.fault())
                        .as("%s, %s, seed %d: %s", call, truth, seed, judgement)
                        .isNull();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            eth_getBlockByNumber                    | [#N,false]    | null   | NOTHING
            eth_getBlockByNumber                    | ["latest",false] | null | NOTHING
            eth_getBlockByHash                      | [#H,false]    | null   | NOTHING
            eth_getBlockByNumber                    | [#N,false]    | {}     | FORM
            eth_getBlockByNumber                    | [#N,false]    | {"a":1} | FORM
            eth_getBlockByNumber                    | [#N,false]    | []     | FORM
            eth_getBlockReceipts                    | [#N]          | null   | NOTHING
            eth_getBlockReceipts                    | [#H]          | []     | NOTHING
            eth_getBlockTransactionCountByNumber    | [#N]          | "0x0"  | NOTHING
            eth_getBlockTransactionCountByHash      | [#H]          | null   | NOTHING
            eth_getTransactionByBlockNumberAndIndex | [#N,"0x5"]    | null   | NOTHING
            eth_getTransactionByBlockHashAndIndex   | [#H,"0x6"]    | null   |
            eth_getRawTransactionByBlockHashAndIndex| [#H,"0x5"]    | null   | NOTHING
            eth_getRawTransactionByBlockHashAndIndex| [#H,"0x5"]    | "0x"   | NOTHING
            eth_getRawTransactionByBlockHashAndIndex| [#H,"0x6"]    | "0x"   |
            eth_getTransactionByHash                | [#T]          | {}     | FORM
            eth_getTransactionByHash                | [#T]          | {"a":1} | FORM
            eth_getTransactionByHash                | [#T]          | null   |
            eth_getBalance                          | ["0x0000000000000000000000000000000000000001",#N] | "0xzz" | FORM
            eth_getBalance                          | ["0x0000000000000000000000000000000000000001",#N] | ""     | FORM
            eth_getBalance                          | ["0x0000000000000000000000000000000000000001",#N] | null   | FORM
            eth_getBalance                          | ["0x0000000000000000000000000000000000000001",#N] | "0x0"  |
            eth_getBalance                          | ["0x0000000000000000000000000000000000000001",#N] | 10     |
            eth_getBalance                          | ["0x0000000000000000000000000000000000000001",#N] | 1.5    | FORM
            """)
    void nothingIsAnAnswerOnlyWhereNothingIs(String method, String params, String result, @Nullable Fault fault) {
        mine();
        assertThat(judge(method, named(params), result).fault()).isEqualTo(fault);
    }

    @ParameterizedTest
    @CsvSource({
        "eth_getBlockByNumber, '[#N,false]', OTHER, UNFIT",
        "eth_getBlockByHash, '[#H,true]', OTHER, UNFIT",
        "eth_getTransactionByHash, '[#T]', OTHER, UNFIT",
        "eth_getTransactionReceipt, '[#T]', OTHER, UNFIT",
        "eth_getRawTransactionByHash, '[#T]', OTHER, UNFIT",
        "eth_getBlockReceipts, '[#N]', OTHER, UNFIT",
        "eth_getBlockReceipts, '[#N]', CUT, REFUTED",
        "eth_getBlockReceipts, '[#H]', DOUBLED, UNFIT",
        "eth_getBlockReceipts, '[#N]', REVERSED, UNFIT",
        "eth_getLogs, '[{\"blockHash\":#H}]', OTHER, UNFIT",
        "eth_getLogs, '[{\"blockHash\":#H}]', DOUBLED, UNFIT",
        "eth_getLogs, '[{\"fromBlock\":#N,\"toBlock\":#N}]', REVERSED, UNFIT",
    })
    void anAnswerToAnotherQuestionIsNone(String method, String params, String change, Fault fault) {
        mine();
        String asked = named(params);
        String result = change.equals("OTHER") ? truth(method, other(asked)) : changed(truth(method, asked), change);
        assertThat(judge(method, asked, result).fault()).as("seed %d", seed).isEqualTo(fault);
    }

    /** Returns the same question about the block before, or about the second transaction. */
    private String other(String asked) {
        TestBlock block = chain.state().at(BLOCK);
        return asked.replace(block.hash(), chain.state().at(BLOCK - 1).hash())
                .replace("\"0x" + Integer.toHexString(BLOCK) + '"', "\"0x" + Integer.toHexString(BLOCK - 1) + '"')
                .replace(
                        block.transactions().get(0).hash().hex(),
                        block.transactions().get(1).hash().hex());
    }

    /** Changes are of text, by a regular expression: of the right answer, or of the one to another question. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            eth_getBlockByNumber | [#N,true] | RIGHT | "number":"0x               | "other":"0x           | FORM
            eth_getBlockByNumber | [#N,true] | RIGHT | "number":"0xa"             | "number":11           | FORM
            eth_getBlockByNumber | [#N,true] | RIGHT | "number":"0xa"             | "number":"0x1000000000000000" | FORM
            eth_getBlockByNumber | [#N,true] | OTHER | "number":                  | "number":#N,"number": | FORM
            eth_getBlockByHash   | [#H,true] | OTHER | "hash":                    | "hash":#H,"hash":     | FORM
            eth_getBlockByHash   | [#H,true] | RIGHT | "parentHash":              | "parentHash"          | FORM
            eth_getBlockByNumber | ["pending",false] | RIGHT | "hash":"0x         | "other":"0x           |
            eth_getTransactionByHash | [#T] | OTHER | "blockHash":"[^"]*"         | "blockHash":null      | UNFIT
            eth_getTransactionByHash | [#T] | OTHER | "blockHash"                 | "transactionHash":#T,"blockHash" | UNFIT
            eth_getTransactionByHash | [#T] | OTHER | "hash":                     | "hash":#T,"hash":     | FORM
            eth_getTransactionByHash | [#T] | RIGHT | "blockHash":"[^"]*"         | "blockHash":null      |
            eth_getTransactionByBlockHashAndIndex   | [#H,"0x1"] | OTHER | "blockHash"        | "other" | FORM
            eth_getTransactionByBlockNumberAndIndex | [#N,"0x1"] | RIGHT | "transactionIndex" | "other" | UNFIT
            eth_getTransactionReceipt | [#T] | OTHER | "blockHash":"[^"]*"        | "blockHash":null      | UNFIT
            eth_getTransactionReceipt | [#T] | OTHER | "transactionHash":"[^"]*"  | "transactionHash":null | UNFIT
            eth_getTransactionReceipt | [#T] | OTHER | "transactionHash":"0x      | "transactionHash":"0x0 | UNFIT
            eth_getTransactionReceipt | [#T] | OTHER | "transactionHash":         | "transactionHash":#T,"transactionHash": | FORM
            eth_getRawTransactionByHash | [#T] | RIGHT | "0x(..)              | "0x7e                 |
            eth_getRawTransactionByHash | [#T] | RIGHT | "0x.*"               | "0x"                  |
            eth_getProof | ["0x0000000000000000000000000000000000000001",[],#N] | RIGHT | "address":"0x00 | "address":"0xab | UNFIT
            eth_getProof | ["0x0000000000000000000000000000000000000001",[],#N] | RIGHT | "address"       | "other"         |
            eth_getBlockReceipts | [#H] | OTHER | "transactionIndex"              | "other"               | UNFIT
            eth_getBlockReceipts | [#H] | OTHER | "blockHash"                     | "blockHash":#H,"blockHash" | FORM
            eth_getBlockReceipts | [#N] | OTHER | "blockNumber"                   | "other"               | FORM
            eth_getBlockReceipts | [#N] | RIGHT | "status":                       | "status"              | FORM
            eth_getBlockReceipts | [#N] | RIGHT | "blockHash":"0x....           | "blockHash":"0xabab   | OTHER_BRANCH
            eth_getBlockReceipts | [#H] | RIGHT | "blockNumber":"0xa"           | "blockNumber":"0xb"   | UNFIT
            eth_getLogs | [{"blockHash":#H}] | OTHER | "logIndex"                 | "other"               | UNFIT
            eth_getLogs | [{"blockHash":#H}] | OTHER | "blockHash"                | "blockHash":#H,"blockHash" | UNFIT
            eth_getLogs | [{"blockHash":#H}] | RIGHT | "address":"0x....(.*?)"logIndex" | "address":"0xabab$1"other" | REFUTED
            eth_getLogs | [{"fromBlock":#N,"toBlock":#N}] | OTHER | "logIndex"    | "other"               | UNFIT
            eth_getLogs | [{"blockHash":#H}] | RIGHT | "blockNumber":"0xa"        | "blockNumber":"0x9"   | UNFIT
            """)
    void noFormOfAnAnswerHidesThatItIsAboutSomethingElse(
            String method, String params, String about, String found, String instead, @Nullable Fault fault) {
        mine();
        String asked = named(params);
        String text = truth(method, about.equals("RIGHT") ? asked : other(asked));
        String result = text.replaceFirst(found, named(instead));
        assertThat(result).isNotEqualTo(text);
        assertThat(judge(method, asked, result).fault())
                .as("seed %d: %s", seed, result)
                .isEqualTo(fault);
    }

    /** Nodes differ in whether a log without a topic at the last position matches, and in what null among topics means. */
    @ParameterizedTest
    @ValueSource(strings = {"[#1,null]", "[#1,[]]", "[[#1,null]]", "[null]"})
    void aFilterThatNodesReadInTwoWaysMatchesNoLogThatNeitherMatches(String topics) {
        mine();
        chain.mine(1);
        ArrayNode all = (ArrayNode) JSON.readTree(truth("eth_getLogs", named("[{\"blockHash\":#H}]")));
        JsonNode log = all.get(0);
        String filter = "[{\"blockHash\":#H,\"address\":%s,\"topics\":%s}]"
                .formatted(
                        log.get("address"),
                        topics.replace("#1", log.get("topics").path(0).toString()));
        ArrayNode matching = all.deepCopy();
        matching.removeIf(one -> !one.get("address").equals(log.get("address"))
                || (topics.contains("#1")
                        && !one.get("topics").get(0).equals(log.get("topics").get(0))));
        String asked = named(filter);
        assertThat(judge("eth_getLogs", asked, matching.toString()).fault())
                .as("seed %d", seed)
                .isNull();
        ((ObjectNode) matching.get(0)).put("address", "0x" + "ab".repeat(20));
        assertThat(judge("eth_getLogs", asked, matching.toString()).fault())
                .as("seed %d", seed)
                .isEqualTo(Fault.UNFIT);
    }

    private static String changed(String list, String change) {
        ArrayNode truth = (ArrayNode) JSON.readTree(list);
        ArrayNode changed = JSON.createArrayNode();
        switch (change) {
            case "CUT" -> truth.valueStream().limit(truth.size() - 1L).forEach(changed::add);
            case "DOUBLED" -> {
                truth.forEach(changed::add);
                truth.forEach(changed::add);
            }
            default -> truth.forEach(each -> changed.insert(0, each));
        }
        return changed.toString();
    }

    @Test
    void aBlockOfWhichNoLogIsListedIsSilentIfItsBloomMayHoldOne() {
        mine();
        TestBlock block = chain.state().at(BLOCK);
        String range = "[{\"fromBlock\":\"0x8\",\"toBlock\":\"0xb\"}]";
        Judgement judgement = judge("eth_getLogs", range, "[]");
        assertThat(judgement.fault()).isNull();
        assertThat(judgement.silent()).contains(block.header());
        assertThat(judge("eth_getLogs", range, truth("eth_getLogs", range)).silent())
                .isEmpty();
    }

    @Test
    void aBloomShowsThatALogIsMissingOnlyIfAllLogsAreWanted() {
        mine();
        TestBlock block = chain.state().at(BLOCK);
        Signed two = block.transactions().stream()
                .filter(signed -> signed.logs().size() == 2)
                .findFirst()
                .orElseThrow();
        String hash = "[{\"blockHash\":\"" + block.hash() + '"';
        String topic = two.logs().get(0).topics().get(1).hex();
        assertThat(judgeFirst(hash + "}]").silent()).containsExactly(block.header());
        assertThat(judgeFirst(hash + ",\"topics\":[null,\"" + topic + "\"]}]")).isEqualTo(Judgement.FITS);
    }

    @Test
    void aListFillsABloomOnlyIfItHasAllLogsOfOneBlock() {
        mine();
        TestBlock block = chain.state().at(BLOCK);
        String number = "\"0x" + Long.toHexString(BLOCK) + '"';
        String topic = JSON.readTree(block.logTexts().get(0)).at("/topics/0").asString();
        for (String one : List.of(
                "[{\"blockHash\":\"" + block.hash() + '"', "[{\"fromBlock\":" + number + ",\"toBlock\":" + number)) {
            assertThat(judge("eth_getLogs", one + "}]", truth("eth_getLogs", one + "}]"))
                            .proven())
                    .isEqualTo(Judgement.Proven.BLOOM);
            assertThat(judgeFirst(one + "}]").proven()).isNotEqualTo(Judgement.Proven.BLOOM);
            String some = one + ",\"topics\":[\"" + topic + "\"]}]";
            assertThat(judge("eth_getLogs", some, truth("eth_getLogs", some)).proven())
                    .isNotEqualTo(Judgement.Proven.BLOOM);
        }
        String range = "[{\"fromBlock\":\"0x8\",\"toBlock\":\"0xb\"}]";
        assertThat(judge("eth_getLogs", range, truth("eth_getLogs", range)).proven())
                .isNotEqualTo(Judgement.Proven.BLOOM);
    }

    /** Judges the first log alone, of several. */
    private Judgement judgeFirst(String params) {
        JsonNode logs = JSON.readTree(truth("eth_getLogs", params));
        assertThat(logs).hasSizeGreaterThan(1);
        return judge("eth_getLogs", params, "[" + logs.get(0) + "]");
    }

    @Test
    void aLogThatCannotBeReadHidesNothing() {
        mine();
        String range = "[{\"fromBlock\":\"0x8\",\"toBlock\":\"0xb\"}]";
        Judgement hiding = judge("eth_getLogs", range, "[{}]");
        assertThat(hiding.unread()).isTrue();
        assertThat(hiding.silent()).contains(chain.state().at(BLOCK).header());
        ArrayNode whole = (ArrayNode) JSON.readTree(truth("eth_getLogs", range));
        ArrayNode doubled = whole.deepCopy();
        whole.addObject();
        assertThat(judge("eth_getLogs", range, whole.toString())).isEqualTo(Judgement.FITS);
        doubled.addObject();
        doubled.add(whole.get(0));
        assertThat(judge("eth_getLogs", range, doubled.toString()).fault()).isEqualTo(Fault.UNFIT);
    }

    @Test
    void ofAnUnknownBlockOnlyTheBlockItselfTellsWhetherNothingIsThere() {
        mine();
        chain.mine(20);
        headersFrom = chain.head() + 1;
        assertThat(judge("eth_getBlockReceipts", named("[#H]"), "[]").open()).isNotEmpty();
        assertThat(judge("eth_getLogs", named("[{\"blockHash\":#H}]"), "[]").open())
                .isNotEmpty();
        assertThat(judge("eth_getLogs", "[{\"fromBlock\":\"0x1\",\"toBlock\":\"0x2\"}]", "[]")
                        .open())
                .as("old blocks")
                .isEmpty();
        String newest = "[{\"fromBlock\":\"0x%x\",\"toBlock\":\"0x%x\"}]".formatted(chain.head() - 2, chain.head() + 5);
        assertThat(judge("eth_getLogs", newest, "[]").open())
                .containsExactly(
                        new BlockSelector.Height(chain.head() - 2),
                        new BlockSelector.Height(chain.head() - 1),
                        new BlockSelector.Height(chain.head()));
    }

    @Test
    void aSilentBlockStaysSilentBesideUnknownOnes() {
        mine();
        chain.mineOf(6);
        headersFrom = chain.head();
        String newest = "[{\"fromBlock\":\"0x%x\",\"toBlock\":\"0x%x\"}]".formatted(chain.head() - 1, chain.head());
        Judgement judgement = judge("eth_getLogs", newest, "[]");
        assertThat(judgement.open()).containsExactly(new BlockSelector.Height(chain.head() - 1));
        assertThat(judgement.silent())
                .containsExactly(chain.state().at(chain.head()).header());
    }
}
