package io.weir.app.absence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.block.Bloom;
import io.weir.testing.Runs;
import io.weir.testing.chain.AskedCall;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.RandomQuestions;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** A node that answers with nothing, with too little or with something else, beside nodes that know better. */
@Execution(ExecutionMode.CONCURRENT)
final class NothingIT {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int CALLS = Runs.number("weir.absence.calls", 150, 10_000);
    /** A node that was found to lie is asked no more for some time. */
    private static final int CALLS_BEFORE_A_NEW_START = 50;

    private static final Set<Kind> FORMS = EnumSet.of(Kind.OBJECT, Kind.TRUE, Kind.TEXT, Kind.BAD_HEX);
    private static final Set<Kind> SHORT = EnumSet.of(Kind.EMPTY, Kind.FIRST, Kind.CUT, Kind.UNREAD);
    private static final Set<Kind> LISTS =
            EnumSet.of(Kind.EMPTY, Kind.FIRST, Kind.CUT, Kind.DOUBLED, Kind.REVERSED, Kind.FOREIGN, Kind.UNREAD);

    private static final Set<String> OF_TRANSACTION =
            Set.of("eth_getTransactionByHash", "eth_getRawTransactionByHash", "eth_getTransactionReceipt");

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final TestChain chain = new TestChain(seed, new SignedTransactions(), Memory.FORGETS);

    /** What a node says in place of the truth. */
    private enum Kind {
        NULL,
        EMPTY,
        ZERO,
        OBJECT,
        TRUE,
        TEXT,
        BAD_HEX,
        FIRST,
        CUT,
        DOUBLED,
        REVERSED,
        FOREIGN,
        /** One log that nobody can read, in place of all. */
        UNREAD
    }

    @ParameterizedTest
    @CsvSource({
        "2, before-caching",
        "3, before-caching",
        "2, before-serving",
        "3, before-serving",
        "5, before-caching",
    })
    void noClientGetsNothingWhereSomethingIs(int nodes, String verify) {
        chain.mine(10);
        for (int i = 0; i < CALLS; i += CALLS_BEFORE_A_NEW_START) {
            List<ChainServer> servers = new ArrayList<>();
            for (int n = 0; n < nodes; n++) {
                servers.add(new ChainServer(chain));
            }
            try (NodePool pool = new NodePool(servers, "verify = " + verify)) {
                for (int block = 0; block < 3; block++) {
                    chain.mine(1);
                    await().until(() ->
                            pool.result("eth_blockNumber").asString().equals("0x" + Long.toHexString(chain.head())));
                }
                RandomQuestions questions = new RandomQuestions(random, chain);
                for (int call = 0; call < CALLS_BEFORE_A_NEW_START; call++) {
                    lieAbout(questions.next(), servers.get(0), pool, verify.equals("before-serving"));
                }
            }
        }
    }

    /** @param proves whether answers are proven before they are served */
    private void lieAbout(AskedCall call, ChainServer liar, NodePool pool, boolean proves) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        JsonNode truth = truth(call);
        JsonNode lie = truth == null ? null : lie(call, kind, truth);
        if (truth == null || lie == null || lie.equals(truth)) {
            return;
        }
        Kind looks = looks(kind, lie, truth);
        boolean isShort = call.method().equals("eth_getLogs") && SHORT.contains(looks);
        if (isShort ? isFoundShort(call, lie, proves) : isJudged(call, looks)) {
            liar.lie(only(call, lie));
            JsonNode answer = pool.answer(call.method(), (Object[]) arguments(call));
            assertThat(answer.path("result"))
                    .as("%s for %s of %s, seed %d: %s", kind, call.method(), call.params(), seed, answer)
                    .isEqualTo(truth);
        }
    }

    /** Returns what a lie looks like: what is said of another block can be a part of the truth. */
    private static Kind looks(Kind kind, JsonNode lie, JsonNode truth) {
        if (!lie.isArray() || kind != Kind.FOREIGN) {
            return kind;
        }
        boolean part =
                truth.valueStream().toList().containsAll(lie.valueStream().toList());
        return lie.isEmpty() ? Kind.EMPTY : part ? Kind.CUT : kind;
    }

    private static JsonNode[] arguments(AskedCall call) {
        return JSON.readTree(call.params()).valueStream().toArray(JsonNode[]::new);
    }

    private @Nullable JsonNode truth(AskedCall call) {
        ChainAnswer answer = ChainAnswers.answer(chain.state(), call.method(), call.params());
        JsonNode value = answer.failed() ? JSON.nullNode() : JSON.readTree(answer.text());
        boolean nothing = value.isNull() || value.asString("").equals("0x");
        return nothing ? null : value;
    }

    /** A node that lies about one call alone, so that its other answers keep it in use. */
    private static ChainServer.Lie only(AskedCall call, JsonNode lie) {
        return (method, params, truth) -> method.equals(call.method()) && params.equals(JSON.readTree(call.params()))
                ? ChainAnswer.result(lie.toString())
                : truth;
    }

    /** Returns whether a false answer shows without a proof. */
    private boolean isJudged(AskedCall call, Kind kind) {
        if (call.params().contains("finalized") || call.params().contains("safe")) {
            // Two nodes must name such a block.
            return false;
        }
        if (kind == Kind.NULL) {
            // Nobody knows whether there is such a transaction or uncle, if no block showed it.
            return !OF_TRANSACTION.contains(call.method()) && !call.method().contains("UncleBy");
        }
        return switch (call.method()) {
            case "eth_getLogs" -> !SHORT.contains(kind);
            case "eth_getBlockReceipts" ->
                kind == Kind.EMPTY || FORMS.contains(kind) || (isNew(call) && kind != Kind.UNREAD);
            case "eth_getBlockTransactionCountByHash", "eth_getBlockTransactionCountByNumber" ->
                kind == Kind.ZERO || FORMS.contains(kind);
            case "eth_getUncleCountByBlockHash", "eth_getUncleCountByBlockNumber" ->
                kind == Kind.ZERO || FORMS.contains(kind);
            case "eth_getBlockByHash",
                    "eth_getBlockByNumber",
                    "eth_getHeaderByHash",
                    "eth_getHeaderByNumber",
                    "eth_getTransactionByBlockHashAndIndex",
                    "eth_getTransactionByBlockNumberAndIndex" -> kind == Kind.FOREIGN || !LISTS.contains(kind);
            default -> FORMS.contains(kind);
        };
    }

    /**
     * Returns whether a list of logs is found to be too short: by the proven receipts of its block, or by the bloom of the newest block.
     * The bloom shows whether a list of all logs is whole. With other filters it shows only whether there may be a log at all.
     */
    private boolean isFoundShort(AskedCall call, JsonNode lie, boolean proves) {
        JsonNode filter = JSON.readTree(call.params()).get(0);
        if (proves && (filter.has("blockHash") || filter.path("fromBlock").equals(filter.path("toBlock")))) {
            return true;
        }
        Bloom listed = bloom(lie);
        boolean ofAll = !filter.has("address") && !filter.has("topics");
        boolean differs = !listed.equals(chain.state().at(chain.head()).header().logsBloom());
        return isNew(call) && (listed.equals(Bloom.EMPTY) || (ofAll && differs));
    }

    private static Bloom bloom(JsonNode logs) {
        Bloom bloom = Bloom.EMPTY;
        for (JsonNode log : logs) {
            for (JsonNode topic : log.path("topics")) {
                bloom = bloom.add(Bytes.fromHex(topic.asString()));
            }
            if (log.has("address")) {
                bloom = bloom.add(Bytes.fromHex(log.path("address").asString()));
            }
        }
        return bloom;
    }

    /** Returns whether a call is about the newest block, whose header the proxy has seen. */
    private boolean isNew(AskedCall call) {
        String number = "\"0x" + Long.toHexString(chain.head()) + '"';
        return call.params().contains(chain.state().at(chain.head()).hash())
                || (call.params().contains(number) && !call.params().contains("fromBlock"))
                || call.params().contains("\"fromBlock\":" + number);
    }

    private @Nullable JsonNode lie(AskedCall call, Kind kind, JsonNode truth) {
        return switch (kind) {
            case NULL -> JSON.nullNode();
            case EMPTY -> JSON.createArrayNode();
            case ZERO -> JSON.readTree("\"0x0\"");
            case OBJECT -> JSON.createObjectNode();
            case TRUE -> JSON.readTree("true");
            case TEXT -> JSON.readTree("\"\"");
            case BAD_HEX -> JSON.readTree("\"0xzz\"");
            case FOREIGN -> truth(new AskedCall(call.method(), ofParent(call.params())));
            default -> truth.isArray() && !truth.isEmpty() ? list(kind, (ArrayNode) truth) : null;
        };
    }

    private static ArrayNode list(Kind kind, ArrayNode truth) {
        List<JsonNode> items = new ArrayList<>();
        truth.forEach(items::add);
        List<JsonNode> list = new ArrayList<>(items);
        switch (kind) {
            case FIRST -> list = items.subList(0, 1);
            case UNREAD -> list = List.of(JSON.createObjectNode());
            case CUT -> list.remove(list.size() - 1);
            case DOUBLED -> list.addAll(items);
            default -> Collections.reverse(list);
        }
        ArrayNode lie = JSON.createArrayNode();
        list.forEach(lie::add);
        return lie;
    }

    /** Returns parameters that name the parent of each block in place of the block. */
    private String ofParent(String params) {
        String other = params;
        for (long number = 1; number <= chain.head(); number++) {
            String own = chain.state().at(number).hash();
            if (params.contains(own)) {
                return params.replace(own, chain.state().at(number - 1).hash());
            }
        }
        for (long number = 1; number <= chain.head(); number++) {
            other = other.replace("\"0x" + Long.toHexString(number) + '"', "\"0x" + Long.toHexString(number - 1) + '"');
        }
        return other;
    }
}
