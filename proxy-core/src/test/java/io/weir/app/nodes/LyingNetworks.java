package io.weir.app.nodes;

import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Networks of one running proxy, each before nodes of the same chain, of which the first one lies. Made by one thread. */
final class LyingNetworks implements AutoCloseable {

    private static final String FIRST = "n0";

    private final TestChain chain;
    private final ConfigurationText text = ConfigurationText.of(FIRST, Long.toString(SignedTransactions.CHAIN_ID));
    private final List<Network> networks = new ArrayList<>();
    private final List<ChainServer> nodes = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private LocalProxy weir;

    /**
     * Has no network yet.
     *
     * @param maxAgeMillis for how long a head is used
     */
    LyingNetworks(TestChain chain, long maxAgeMillis) {
        this.chain = chain;
        text.setting("defaults.network.head.max-age = " + maxAgeMillis + " ms");
        // A call asks several nodes in turn, and none is silent: on a busy machine it only takes longer.
        text.setting("server.call-timeout = 55 s");
        // Health checks get half of this: a node that is late only takes longer too.
        text.setting("defaults.upstream.timeout = 50 s");
        // The chain grows between two answers of a round: a head 9 blocks too high is less above the other node then.
        text.setting("defaults.network.health { interval = 500 ms, max-lag = 4 }");
    }

    /** Adds a network with one lying node, before {@link #start}. */
    Network add(int size, String claim, ChainServer.Lie lie, String... settings) {
        String name = "n" + networks.size();
        text.setting("networks." + name + " { kind = ethereum, chain-id = " + SignedTransactions.CHAIN_ID + " }");
        for (String setting : settings) {
            text.setting("networks." + name + "." + setting);
        }
        Network network = new Network(name, size, claim);
        for (int i = 0; i < size; i++) {
            ChainServer node = new ChainServer(chain, i == 0 ? lie : ChainServer.NONE);
            nodes.add(node);
            network.nodes.add(node);
            String upstream = "networks." + name + ".upstreams." + network.id(i);
            text.setting(upstream + " { url = \"" + node.url() + "\", timeout = 30 s }");
        }
        networks.add(network);
        return network;
    }

    /** Starts the proxy, and waits until the honest nodes are healthy. */
    LyingNetworks start() {
        weir = LocalProxy.start(text.text());
        for (Network network : networks) {
            network.client = new JsonRpcClient("http://127.0.0.1:" + weir.port() + '/' + network.name + "/v3/demo");
            for (int i = 1; i < network.size; i++) {
                String id = network.id(i);
                await().until(() -> weir.admin().health(network.name, id).equals("healthy"));
            }
        }
        return this;
    }

    List<Network> all() {
        return networks;
    }

    /** Does something with each of these networks at the same time. Fails if it fails with one. */
    void each(List<Network> some, Consumer<Network> action) {
        CompletableFuture.allOf(some.stream()
                        .map(network -> CompletableFuture.runAsync(() -> action.accept(network), threads))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        if (weir != null) {
            weir.close();
        }
        nodes.forEach(ChainServer::close);
    }

    /** One network with its clients' calls. */
    final class Network {

        private final String name;
        private final int size;
        private final String claim;
        private final List<ChainServer> nodes = new ArrayList<>();
        private JsonRpcClient client;

        private Network(String name, int size, String claim) {
            this.name = name;
            this.size = size;
            this.claim = claim;
        }

        private String id(int index) {
            return index == 0 ? "liar" : "honest" + index;
        }

        int size() {
            return size;
        }

        String claim() {
            return claim;
        }

        JsonNode block(Object selector) {
            return client.result("eth_getBlockByNumber", selector, false);
        }

        /** Returns the whole answer about a block, which may be an error. */
        JsonNode answer(String tag) {
            return client.answer("eth_getBlockByNumber", tag, false);
        }

        long blockNumber() {
            return Long.decode(client.result("eth_blockNumber").asString());
        }

        void balance(String account) {
            client.result("eth_getBalance", account, "latest");
        }

        /** Has the liar tell the truth from now on. */
        void endLie() {
            nodes.get(0).lie(ChainServer.NONE);
        }

        String health() {
            return weir.admin().health(name, "liar");
        }

        String detail() {
            return weir.admin().detail(name, "liar");
        }

        /** Returns the details of all honest nodes, one after the other. */
        String honestDetails() {
            StringBuilder details = new StringBuilder();
            for (int i = 1; i < size; i++) {
                details.append(weir.admin().detail(name, id(i)));
            }
            return details.toString();
        }

        /** Returns how many answers of the liar were found to be false. */
        double falseAnswers() {
            return falseAnswers("false_hash") + falseAnswers("unfit");
        }

        private double falseAnswers(String reason) {
            return weir.admin()
                    .metric(
                            "weir_upstream_bad_answers_total",
                            "network=\"" + name + '"',
                            "upstream=\"liar\"",
                            "reason=\"" + reason + '"');
        }

        @Override
        public String toString() {
            return size + " nodes, " + claim;
        }
    }
}
