package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.ChainAnswer;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One node of two or three that lies about the state of final blocks, before a running proxy that samples every result. */
final class LyingAboutStateIT {

    private static final JsonMapper JSON = new JsonMapper();
    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();
    private static final Pattern UPSTREAM = Pattern.compile("desc=\"(\\w+)\"");
    private static final String NETWORK = "testnet";
    private static final String BLOCK = "0x32";
    private static final int ACCOUNTS = 30;
    private static final int MAX_ACCOUNTS = 3_000;

    private final long seed = new Random().nextLong();
    private final TestChain chain = new TestChain(seed, TRANSACTIONS, Memory.FORGETS);

    LyingAboutStateIT() {
        chain.mine(150);
        chain.finalize(80);
    }

    private static ChainAnswer lie(String method, JsonNode params, ChainAnswer truth) {
        boolean ofState = method.equals("eth_getBalance") || method.equals("eth_call");
        return ofState ? ChainAnswer.result("\"0xbad\"") : truth;
    }

    private static Object[] params(String method, int account) {
        String address = "0x%040x".formatted(account);
        return new Object[] {method.equals("eth_call") ? Map.of("to", address) : address, BLOCK};
    }

    private String truth(String method, int account) {
        return ChainAnswers.answer(chain.state(), method, JSON.valueToTree(params(method, account)))
                .member();
    }

    @Test
    void ofThreeNodesNoLieIsStoredAndTheLiarLosesWhatItGave() throws IOException {
        try (Network network = new Network(3)) {
            Map<Integer, String> givenBy = new HashMap<>();
            // A node that was slow once is chosen less for a while.
            for (int account = 0; account < ACCOUNTS || (lacksOne(givenBy) && account < MAX_ACCOUNTS); account++) {
                givenBy.put(account, network.ask("eth_getBalance", account).upstream());
            }
            assertThat(lacksOne(givenBy)).as("seed %d: %s", seed, givenBy).isFalse();
            givenBy.keySet().forEach(account -> network.awaitHit("eth_getBalance", account));

            network.liar.lie(LyingAboutStateIT::lie);
            for (int account = givenBy.size(); !network.health().equals("down"); account++) {
                network.awaitHit("eth_call", account);
                network.awaitHit("eth_getBalance", account);
            }

            assertThat(network.weir.admin().detail(NETWORK, "liar"))
                    .startsWith("false answers, the last: block 50: \"0xbad\" (expected: \"0x1");
            // The third one costs the node its place. Other samples may be under way then.
            assertThat(network.weir.admin().metric("weir_cache_revocations_total"))
                    .isBetween(3.0, network.weir.admin().metric("weir_samples_total", "outcome=\"different\""));
            givenBy.forEach((account, upstream) -> assertThat(
                            network.ask("eth_getBalance", account).cache())
                    .as("seed %d: account %d of %s", seed, account, upstream)
                    .isEqualTo(upstream.equals("liar") ? "weir; fwd=uri-miss" : "weir; hit"));
        }
    }

    private static boolean lacksOne(Map<Integer, String> givenBy) {
        return !givenBy.values().containsAll(List.of("liar", "honest1"));
    }

    @Test
    void ofTwoNodesNeitherIsStoredNorCharged() throws IOException {
        try (Network network = new Network(2)) {
            network.liar.lie(LyingAboutStateIT::lie);
            for (int i = 0; i < 2 * ACCOUNTS; i++) {
                assertThat(network.ask("eth_getBalance", i / 2).cache()).isEqualTo("weir; fwd=uri-miss");
                // A sample that finds too many others under way is skipped.
                int asked = i + 1;
                await().until(() ->
                        network.weir.admin().metric("weir_cache_answers_total", "outcome=\"disputed\"") == asked);
            }
            assertThat(network.weir.admin().metric("weir_samples_total", "outcome=\"undecided\""))
                    .isEqualTo(2 * ACCOUNTS);
            assertThat(network.weir.admin().metric("weir_upstream_bad_answers_total", "reason=\"other_result\""))
                    .isZero();
            assertThat(network.health()).isEqualTo("healthy");
        }
    }

    /** Answer of the proxy, with the node that gave it. */
    private record Answer(String body, String cache, String upstream) {}

    /** Proxy before nodes of the chain, of which one lies. */
    private final class Network implements AutoCloseable {

        private final List<ChainServer> nodes = new ArrayList<>();
        private final ChainServer liar;
        private final LocalProxy weir;
        private final JsonRpcClient client;

        Network(int size) throws IOException {
            ConfigurationText text = ConfigurationText.of(NETWORK, Long.toString(SignedTransactions.CHAIN_ID))
                    .networkSetting("verify-sample = 100 %");
            for (int i = 0; i < size; i++) {
                ChainServer node = new ChainServer(chain, ChainServer.NONE);
                nodes.add(node);
                text.upstream(i == 0 ? "liar" : "honest" + i, node.url());
            }
            liar = nodes.get(0);
            weir = LocalProxy.start(text.text());
            client = new JsonRpcClient(weir.url());
            await().until(() -> health().equals("healthy"));
            for (int i = 1; i < size; i++) {
                String id = "honest" + i;
                await().until(() -> weir.admin().health(NETWORK, id).equals("healthy"));
            }
        }

        String health() {
            return weir.admin().health(NETWORK, "liar");
        }

        Answer ask(String method, int account) {
            HttpResponse<String> response = client.post(JsonRpcClient.call(method, params(method, account)));
            Matcher upstream = UPSTREAM.matcher(
                    response.headers().firstValue("server-timing").orElse(""));
            return new Answer(
                    response.body(),
                    response.headers().firstValue("cache-status").orElse(""),
                    upstream.find() ? upstream.group(1) : "");
        }

        /** Asks until memory answers, and then with the truth. */
        void awaitHit(String method, int account) {
            Answer stored = await().until(
                            () -> ask(method, account), answer -> answer.cache().equals("weir; hit"));
            assertThat(stored.body()).as("seed " + seed).contains(truth(method, account));
        }

        @Override
        public void close() {
            weir.close();
            nodes.forEach(ChainServer::close);
        }
    }
}
