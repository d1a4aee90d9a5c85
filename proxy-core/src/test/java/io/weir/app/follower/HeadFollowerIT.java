package io.weir.app.follower;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.LocalProxy;
import io.weir.app.follower.CoherentChain.Block;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Fifty clients that ask for everything about every new block cost the node two calls a block. */
final class HeadFollowerIT {

    private static final int CLIENTS = 50;
    private static final int TRANSACTIONS = 200;
    private static final int EARLIER = 4;
    private static final int BLOCKS = 4;

    /** For one block, whatever the machine does meanwhile; its clients make thousands. */
    private static final long CALLS = 2;

    private static final int BATCH = 100;

    private static CoherentChain chain;

    @BeforeAll
    static void mine() {
        chain = new CoherentChain();
        for (int i = 0; i < EARLIER; i++) {
            chain.mine(2);
        }
        for (int i = 0; i < BLOCKS; i++) {
            chain.mine(TRANSACTIONS);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "before-caching"})
    void everythingAboutEveryNewBlockCostsTwoCallsAtTheNode(String verify) throws IOException {
        try (CountingNode node = new CountingNode(chain.blocks(), EARLIER - 1);
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("net", "1")
                        .upstream("node", node.url())
                        .networkSetting("verify = " + verify)
                        .setting("server.calls-in-flight = 40000")
                        .text())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            client.result("eth_getBlockByNumber", "latest", true);
            node.takeCalls();
            for (int number = EARLIER; number < EARLIER + BLOCKS; number++) {
                node.moveTo(number);
                follow(client, chain.blocks().get(number), number);
                Map<String, Long> calls = node.takeCalls();
                assertThat(calls.values().stream().mapToLong(Long::longValue).sum())
                        .as("block %s: %s", number, calls)
                        .isEqualTo(CALLS);
            }
        }
    }

    /** Each client has its block first, and then asks for all that is in it. */
    private static void follow(JsonRpcClient client, Block block, int number) {
        String ask = JsonRpcClient.call("eth_getBlockByNumber", "0x" + Integer.toHexString(number), true);
        String whole = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + block.whole() + "}";
        List<Exchange> everything = everything(block);
        List<CompletableFuture<?>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(client.postLater(ask).thenCompose(response -> {
                assertThat(response.body()).isEqualTo(whole);
                return CompletableFuture.allOf(everything.stream()
                        .map(exchange -> exchange.run(client))
                        .toArray(CompletableFuture[]::new));
            }));
        }
        CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).join();
    }

    /** A request and what must come back. */
    private record Exchange(String request, String response) {

        CompletableFuture<?> run(JsonRpcClient client) {
            return client.postLater(request)
                    .thenAccept(answer -> assertThat(answer.body()).isEqualTo(response));
        }
    }

    private static List<Exchange> everything(Block block) {
        List<Exchange> exchanges = new ArrayList<>();
        for (int from = 0; from < TRANSACTIONS; from += BATCH) {
            List<String> hashes = block.transactions().subList(from, from + BATCH);
            exchanges.add(new Exchange(batch("eth_getTransactionReceipt", hashes), answers(block.receipts(), from)));
            exchanges.add(new Exchange(
                    batch("eth_getTransactionByHash", hashes),
                    answers(block.whole().get("transactions"), from)));
        }
        return exchanges;
    }

    /** As the node writes it. */
    private static String answers(JsonNode results, int from) {
        return IntStream.range(from, from + BATCH)
                .mapToObj(i -> "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + results.get(i) + "}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String batch(String method, List<String> hashes) {
        return hashes.stream()
                .map(hash -> JsonRpcClient.call(method, hash))
                .toList()
                .toString();
    }
}
