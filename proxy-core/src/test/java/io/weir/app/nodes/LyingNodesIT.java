package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.WeirProcess;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.ChainState;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** One node of two or three that lies about the head or about finality, before a running proxy. */
final class LyingNodesIT {

    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();
    private static final String NETWORK = "testnet";
    private static final String ACCOUNT = "0x" + "0".repeat(36) + "beef";
    private static final int FINAL = 80;
    private static final int MINED = 30;

    private final long seed = new Random().nextLong();
    private final TestChain chain = new TestChain(seed, TRANSACTIONS, Memory.FORGETS);

    LyingNodesIT() {
        chain.mine(150);
        chain.finalize(FINAL);
    }

    @ParameterizedTest
    @CsvSource({
        "3, 9, out-of-line",
        "3, 1000000, out-of-line",
        "3, max, out-of-line",
        "3, -100, lagging",
        "2, 9, out-of-line",
        "2, 1000000, out-of-line",
        "2, max, out-of-line",
        "2, -100, lagging"
    })
    void noClientSeesAFalseHeadAndTheLiarIsNamed(int nodes, String claim, String health) throws IOException {
        ChainServer.Lie lie = (method, params, truth) -> method.equals("eth_blockNumber")
                ? quantity(claim.equals("max") ? Long.MAX_VALUE : chain.head() + Long.parseLong(claim))
                : truth;
        try (Network network = new Network(nodes, lie, 20)) {
            await().until(() -> network.health().equals(health));
            network.assertTruth();

            assertThat(network.health()).isEqualTo(health);
            network.liar.lie(ChainServer.NONE);
            await().until(() -> network.health().equals("healthy"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3, head",
        "3, 1000000",
        "3, null",
        "3, error",
        "2, head",
        "2, 1000000",
        "2, 0",
        "3, 0",
    })
    void noClientSeesAFalseFinalBlock(int nodes, String claim) throws IOException {
        ChainServer.Lie lie = (method, params, truth) -> isFinality(params) ? falseFinality(claim, truth) : truth;
        try (Network network = new Network(nodes, lie, 20)) {
            for (int i = 0; i < 2 * nodes; i++) {
                JsonNode block = network.client.result("eth_getBlockByNumber", "finalized", false);
                assertThat(number(block)).as("seed " + seed).isLessThanOrEqualTo(FINAL);
            }
            network.assertTruth();
        }
    }

    /** With three nodes the two others agree at once, or after the liar's turn. */
    @ParameterizedTest
    @CsvSource({"head", "1000000", "null", "error", "0"})
    void theOtherNodesFinalBlockIsServed(String claim) throws IOException {
        ChainServer.Lie lie = (method, params, truth) -> isFinality(params) ? falseFinality(claim, truth) : truth;
        try (Network network = new Network(3, lie, 20)) {
            await().until(() -> number(network.client.result("eth_getBlockByNumber", "finalized", false)) == FINAL);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void noLieIsSeenWhileTheChainIsReorganised(int nodes) throws IOException {
        Random random = new Random(seed);
        Random lies = new Random(seed + 1);
        ChainServer.Lie lie = (method, params, truth) -> randomLie(lies, method, params, truth);
        try (Network network = new Network(nodes, lie, 0)) {
            for (int i = 0; i < 2 * MINED; i++) {
                ChainState before = chain.state();
                String where = "seed " + seed + ", step " + i;
                JsonNode block = network.client.result("eth_getBlockByNumber", "latest", false);
                assertThat(chain.since(before).stream()
                                .map(state -> state.at(number(block)))
                                .map(known -> known == null ? "none" : known.hash()))
                        .as(where)
                        .contains(block.path("hash").asString());
                JsonNode last = network.client.result("eth_getBlockByNumber", "finalized", false);
                assertThat(number(last))
                        .as(where)
                        .isLessThanOrEqualTo(chain.state().finalized());
                assertThat(Long.decode(network.client.result("eth_blockNumber").asString()))
                        .as(where)
                        .isLessThanOrEqualTo(chain.head());
                if (random.nextInt(3) == 0) {
                    chain.fork(1 + random.nextInt(3), 1 + random.nextInt(2));
                } else {
                    chain.mine(random.nextInt(2));
                }
                chain.finalize(chain.head() - 70);
            }
            network.liar.lie(ChainServer.NONE);
            await().until(() -> network.health().equals("healthy"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aBlockWithAnotherNumberIsNotServed(int nodes) throws IOException {
        ChainServer.Lie lie = (method, params, truth) -> method.equals("eth_getBlockByNumber")
                        && params.path(0).asString("").startsWith("0x")
                ? ChainAnswer.result(chain.state().at(7).text(false))
                : truth;
        try (Network network = new Network(nodes, lie, 20, "verify = before-serving")) {
            for (long i = 10; i < 70; i++) {
                JsonNode block = network.client.result("eth_getBlockByNumber", "0x" + Long.toHexString(i), false);
                assertThat(number(block)).isEqualTo(i);
            }
        }
    }

    private ChainAnswer randomLie(Random random, String method, JsonNode params, ChainAnswer truth) {
        synchronized (random) {
            if (random.nextBoolean()) {
                return truth;
            }
            // A head within the tolerated lag counts without a proof.
            long step =
                    9 + (random.nextInt(4) == 0 ? random.nextLong() >>> (2 + random.nextInt(60)) : random.nextInt(20));
            if (method.equals("eth_blockNumber")) {
                return quantity(chain.head() + step);
            }
            return isFinality(params) ? falseFinality(random.nextBoolean() ? "head" : "error", truth) : truth;
        }
    }

    private static boolean isFinality(JsonNode params) {
        return params.path(0).asString("").equals("finalized");
    }

    private ChainAnswer falseFinality(String claim, ChainAnswer truth) {
        return switch (claim) {
            case "null" -> ChainAnswer.NULL;
            case "error" -> ChainAnswer.error(-32000, "finalized block not found");
            case "head" -> ChainAnswer.result(chain.state().at(chain.head()).text(false));
            case "0" -> ChainAnswer.result(chain.state().at(0).text(false));
            default -> renumbered(truth, Long.parseLong(claim));
        };
    }

    /** Returns a block with another number. */
    private static ChainAnswer renumbered(ChainAnswer block, long number) {
        return ChainAnswer.result(block.member()
                .substring("\"result\":".length())
                .replaceFirst("\"number\":\"0x[0-9a-f]+\"", "\"number\":\"0x" + Long.toHexString(number) + '"'));
    }

    private static ChainAnswer quantity(long number) {
        return ChainAnswer.result("\"0x" + Long.toHexString(number) + '"');
    }

    private static long number(JsonNode block) {
        return Long.decode(block.path("number").asString());
    }

    /** Proxy before nodes of the chain, of which one lies. */
    private final class Network implements AutoCloseable {

        private final List<ChainServer> nodes = new ArrayList<>();
        private final ChainServer liar;
        private final WeirProcess weir;
        private final JsonRpcClient client;

        Network(int size, ChainServer.Lie lie, long maxAgeMillis, String... settings) throws IOException {
            ConfigurationText text = ConfigurationText.of(NETWORK, Long.toString(SignedTransactions.CHAIN_ID))
                    .networkSetting("head.max-age = " + maxAgeMillis + " ms")
                    // The chain grows between two answers of a round: a head 9 blocks too high is less above the other
                    // node then.
                    .networkSetting("health { interval = 200 ms, idle-interval = 300 ms, max-lag = 4 }");
            for (String setting : settings) {
                text.networkSetting(setting);
            }
            for (int i = 0; i < size; i++) {
                ChainServer node = new ChainServer(chain, i == 0 ? lie : ChainServer.NONE);
                nodes.add(node);
                text.upstream(i == 0 ? "liar" : "honest" + i, node.url());
            }
            liar = nodes.get(0);
            weir = WeirProcess.start(text.text());
            client = new JsonRpcClient(weir.url());
            for (int i = 1; i < size; i++) {
                String id = "honest" + i;
                await().until(() -> weir.admin().health(NETWORK, id).equals("healthy"));
            }
        }

        String health() {
            return weir.admin().health(NETWORK, "liar");
        }

        /** Asks while the chain grows: no answer is ahead of the chain, none goes back, and the end is found. */
        void assertTruth() {
            long before = 0;
            for (int i = 0; i < MINED; i++) {
                long number = Long.decode(client.result("eth_blockNumber").asString());
                long block = number(client.result("eth_getBlockByNumber", "latest", false));
                client.result("eth_getBalance", ACCOUNT, "latest");
                String where = "seed " + seed + ", step " + i;
                assertThat(number).as(where).isBetween(before, chain.head());
                assertThat(block).as(where).isBetween(number, chain.head());
                assertThat(number(client.result("eth_getBlockByNumber", "finalized", false)))
                        .as(where)
                        .isLessThanOrEqualTo(FINAL);
                before = block;
                chain.mine(1);
            }
            await().until(() -> Long.decode(client.result("eth_blockNumber").asString()) == chain.head());
        }

        @Override
        public void close() {
            weir.close();
            nodes.forEach(ChainServer::close);
        }
    }
}
