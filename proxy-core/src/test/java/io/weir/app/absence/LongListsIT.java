package io.weir.app.absence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.testing.JsonRpcSocket;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Lists of logs that go on to their clients while they arrive, and are judged meanwhile. */
@Execution(ExecutionMode.CONCURRENT)
final class LongListsIT {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int BLOCKS = 4;
    /** Blocks of which the proxy sees the headers. */
    private static final int SEEN = 2;

    private static final int TRANSACTIONS = 500;
    private static final int STREAM_FROM = 256 << 10;
    private static final SignedTransactions SIGNED = new SignedTransactions();

    private final long seed = new Random().nextLong();
    private final TestChain chain = new TestChain(seed, SIGNED, Memory.FORGETS);

    /** What is wrong with a list. */
    private enum Wrong {
        /** The logs of a block are missing. */
        NO_BLOCK,
        /** The last logs of the last block are missing. The bits of a single one may be those of others too. */
        CUT,
        DOUBLED,
        REVERSED,
        /** One log is of another branch. */
        FOREIGN,
        REMOVED,
        OUT_OF_RANGE,
        OTHER_ADDRESS,
        OTHER_TOPIC,
        /** A topic that the block does not have. */
        MADE_UP,
        /** A list of something else. */
        NUMBERS
    }

    private NodePool pool(String verify) {
        chain.mine(10);
        for (int i = 0; i <= BLOCKS - SEEN; i++) {
            chain.mineOf(TRANSACTIONS);
        }
        NodePool pool = new NodePool(List.of(new ChainServer(chain), new ChainServer(chain)), "verify = " + verify);
        for (int i = 0; i < SEEN; i++) {
            chain.mineOf(TRANSACTIONS);
            await().until(() -> pool.result("eth_blockNumber").asString().equals(hex(chain.head())));
            // The header is known then, however busy the machine is.
            pool.result("eth_getBlockByNumber", hex(chain.head()), true);
        }
        return pool;
    }

    /** Returns the filter for the newest blocks. */
    private String filter(Wrong wrong) {
        String range = "\"fromBlock\":\"" + hex(chain.head() - BLOCKS + 1) + "\",\"toBlock\":\"" + hex(chain.head());
        String more = switch (wrong) {
            case OTHER_ADDRESS ->
                "\",\"address\":[\"" + address(0) + "\",\"" + address(1) + "\",\"" + address(2) + "\"]";
            case OTHER_TOPIC -> "\",\"topics\":[[\"" + topic(0) + "\",\"" + topic(1) + "\",\"" + topic(2) + "\"]]";
            default -> "\"";
        };
        return "{" + range + more + "}";
    }

    private List<String> truth(String filter) {
        return JSON.readTree(ChainAnswers.answer(chain.state(), "eth_getLogs", "[" + filter + "]")
                        .text())
                .valueStream()
                .map(JsonNode::toString)
                .toList();
    }

    private List<String> lie(Wrong wrong, List<String> truth) {
        List<String> logs = new ArrayList<>(truth);
        int one = logs.size() - 9;
        String log = logs.get(one);
        switch (wrong) {
            case NO_BLOCK -> logs.removeIf(each -> each.contains("\"blockNumber\":\"" + hex(chain.head() - 1) + '"'));
            case CUT ->
                logs.subList(logs.size() - TRANSACTIONS / 2, logs.size()).clear();
            case DOUBLED -> logs.addAll(truth);
            case REVERSED -> Collections.reverse(logs);
            case FOREIGN -> logs.set(one, log.replaceAll("\"blockHash\":\"0x........", "\"blockHash\":\"0xabababab"));
            case REMOVED -> logs.set(one, log.replace("\"removed\":false", "\"removed\":true"));
            case OUT_OF_RANGE ->
                logs.addAll(0, chain.state().at(chain.head() - BLOCKS).logTexts());
            case OTHER_ADDRESS -> logs.set(one, log.replaceAll("\"address\":\"0x....", "\"address\":\"0xabab"));
            case OTHER_TOPIC, MADE_UP ->
                logs.set(one, log.replaceAll("\"topics\":\\[\"0x....", "\"topics\":[\"0xabab"));
            default -> logs.set(one, "\"0x1\"");
        }
        assertThat(logs).as("seed %d", seed).isNotEqualTo(truth);
        return logs;
    }

    private static ChainServer.Lie always(String list) {
        return (method, params, truth) -> method.equals("eth_getLogs") ? ChainAnswer.result(list) : truth;
    }

    private static String text(List<String> logs) {
        String text = "[" + String.join(",", logs) + "]";
        assertThat(text).hasSizeGreaterThan(STREAM_FROM);
        return text;
    }

    private static String call(String filter) {
        return "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"eth_getLogs\",\"params\":[" + filter + "]}";
    }

    private static String answer(String list) {
        return "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + list + "}";
    }

    private static String post(NodePool pool, String call) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(pool.weir().url()))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(call))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static double streamed(NodePool pool) {
        return pool.weir().admin().metric("weir_upstream_streamed_total");
    }

    @ParameterizedTest
    @EnumSource
    void aWrongListIsNeverCompleted(Wrong wrong) throws Exception {
        try (NodePool pool = pool("before-caching")) {
            String filter = filter(wrong);
            List<String> truth = truth(filter);
            pool.lie(always(text(lie(wrong, truth))));
            assertThatThrownBy(() -> post(pool, call(filter)))
                    .as("seed %d", seed)
                    .isInstanceOf(IOException.class);
            try (JsonRpcSocket socket = JsonRpcSocket.connect(pool.weir().socketUrl())) {
                socket.send(call(filter));
                assertThat(socket.closed().get(1, TimeUnit.MINUTES).code()).isEqualTo(1011);
            }
            assertThat(streamed(pool)).isEqualTo(2);
            String reasons = switch (wrong) {
                case NUMBERS -> "wrong_form";
                case FOREIGN -> "other_block|unfit";
                case MADE_UP -> "false_hash";
                default -> "unfit";
            };
            // Receipts show what is left out. If they come too late on a busy machine, the node counts as late, not as
            // false.
            boolean late = wrong == Wrong.NO_BLOCK || wrong == Wrong.CUT;
            assertThat(reasons.split("\\|"))
                    .as("seed %d", seed)
                    .anyMatch(reason ->
                            late || pool.weir().admin().metric("weir_upstream_bad_answers_total", reason) == 2);
            pool.lie(ChainServer.NONE);
            assertThat(post(pool, call(filter))).isEqualTo(answer(text(truth)));
        }
    }

    @Test
    void aRightListPassesByteForByte() throws Exception {
        try (NodePool pool = pool("before-caching")) {
            for (Wrong kind : List.of(Wrong.CUT, Wrong.OTHER_ADDRESS, Wrong.OTHER_TOPIC)) {
                String filter = filter(kind);
                String right = answer(text(truth(filter)));
                assertThat(post(pool, call(filter))).as("seed %d", seed).isEqualTo(right);
                try (JsonRpcSocket socket = JsonRpcSocket.connect(pool.weir().socketUrl())) {
                    socket.send(call(filter.replace("}", " }")));
                    assertThat(socket.await()).as("seed %d", seed).isEqualTo(right);
                }
            }
            assertThat(streamed(pool)).isPositive();
            chain.mineOf(TRANSACTIONS);
            String ofUnseen = filter(Wrong.CUT);
            assertThat(post(pool, call(ofUnseen))).as("seed %d", seed).isEqualTo(answer(text(truth(ofUnseen))));
        }
    }

    @Test
    void withoutVerificationTheFormAndTheQuestionCount() throws Exception {
        try (NodePool pool = pool("off")) {
            String filter = filter(Wrong.CUT);
            String cut = text(lie(Wrong.CUT, truth(filter)));
            pool.lie(always(cut));
            assertThat(post(pool, call(filter))).isEqualTo(answer(cut));
            for (Wrong wrong : List.of(Wrong.REVERSED, Wrong.DOUBLED, Wrong.OUT_OF_RANGE, Wrong.NUMBERS)) {
                pool.lie(always(text(lie(wrong, truth(filter)))));
                String other = filter(Wrong.OTHER_ADDRESS);
                assertThatThrownBy(() -> post(pool, call(other))).isInstanceOf(IOException.class);
            }
        }
    }

    private static String address(int number) {
        return SignedTransactions.contract(number).hex();
    }

    private static String topic(int number) {
        return SignedTransactions.topic(number).hex();
    }

    private static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }
}
