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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that read old blocks. They know the hashes in a block, so they ask for it and for all that is in it at the same time. */
final class ChainReadersIT {

    private static final int BLOCKS = 54;
    private static final int FINALITY_DEPTH = 64;
    private static final long NODE_MILLIS = 5;
    private static final int CONNECTIONS = 500;

    private static CoherentChain chain;

    @BeforeAll
    static void mine() {
        chain = new CoherentChain();
        for (int i = 0; i <= BLOCKS + FINALITY_DEPTH; i++) {
            chain.mine(i % 5 < 3 ? 4 : 3);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, off, true",
        "50, off, true",
        "50, off, false",
        "50, before-caching, true",
        "50, before-caching, false"
    })
    void blocksWithTheirReceiptsAndTransactionsCostTwoCallsEach(int clients, String verify, boolean batched)
            throws IOException {
        long begun = System.nanoTime();
        double calls = callsPerBlock(
                verify,
                proxy -> CompletableFuture.allOf(Stream.generate(() -> read(proxy, 1, batched))
                                .limit(clients)
                                .toArray(CompletableFuture[]::new))
                        .join());
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) / BLOCKS;
        // On a busy machine a lookup may overtake the call for its block by longer than it waits.
        assertThat(calls).as("calls a block, %d ms each", millis).isBetween(1.9, millis < 200 ? 2.2 : 3.0);
    }

    @Test
    void aLoneLookupIntoEachBlockCostsOneCallEach() throws IOException {
        double calls = callsPerBlock("before-caching", proxy -> {
            for (int number = 1; number <= BLOCKS; number++) {
                String transaction = chain.blocks().get(number).transactions().get(0);
                boolean receipt = number % 2 == 0;
                proxy.result(receipt ? "eth_getTransactionReceipt" : "eth_getTransactionByHash", transaction);
            }
        });
        assertThat(calls).as("calls a block").isBetween(1.0, 1.05);
    }

    private static double callsPerBlock(String verify, Consumer<JsonRpcClient> clients) throws IOException {
        try (CountingNode node = new CountingNode(chain.blocks(), BLOCKS + FINALITY_DEPTH, NODE_MILLIS);
                LocalProxy weir = LocalProxy.start(ConfigurationText.of("net", "1")
                        .upstream("node", node.url())
                        .networkSetting("verify = " + verify)
                        .setting("server.calls-in-flight = 40000")
                        .text())) {
            JsonRpcClient proxy = new JsonRpcClient(weir.url());
            proxy.result("eth_getBlockByNumber", "latest", true);
            connect(proxy);
            node.takeCalls();
            clients.accept(proxy);
            Map<String, Long> calls = node.takeCalls();
            return calls.values().stream().mapToLong(Long::longValue).sum() / (double) BLOCKS;
        }
    }

    /** Opens as many connections as the clients need, so that their first calls come in about the order in which they are sent. */
    private static void connect(JsonRpcClient proxy) {
        CompletableFuture.allOf(Stream.generate(() -> proxy.postLater(JsonRpcClient.call("eth_chainId")))
                        .limit(CONNECTIONS)
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    /** Reads the blocks from one on, one after the other. */
    private static CompletableFuture<?> read(JsonRpcClient proxy, int number, boolean batched) {
        if (number > BLOCKS) {
            return CompletableFuture.completedFuture(null);
        }
        List<String> calls = calls(chain.blocks().get(number), number);
        Stream<String> requests = batched ? Stream.of(calls.toString()) : calls.stream();
        return CompletableFuture.allOf(requests.map(request -> proxy.postLater(request)
                                .thenAccept(answer -> assertThat(answer.body())
                                        .contains("result")
                                        .doesNotContain("null}", "error")))
                        .toArray(CompletableFuture[]::new))
                .thenCompose(all -> read(proxy, number + 1, batched));
    }

    private static List<String> calls(Block block, int number) {
        List<String> calls = new ArrayList<>();
        String height = "0x" + Integer.toHexString(number);
        calls.add(JsonRpcClient.call("eth_getBlockByNumber", height, true));
        calls.add(JsonRpcClient.call("eth_getBlockReceipts", height));
        for (String hash : block.transactions()) {
            calls.add(JsonRpcClient.call("eth_getTransactionByHash", hash));
            calls.add(JsonRpcClient.call("eth_getTransactionReceipt", hash));
        }
        return calls;
    }
}
