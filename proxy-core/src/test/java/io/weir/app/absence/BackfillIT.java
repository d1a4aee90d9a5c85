package io.weir.app.absence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.SignedTransactions.Signed;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Programs that read a chain once, from old blocks to new ones. The nodes get about as many calls as without the proxy. */
final class BackfillIT {

    private static final int BLOCKS = 300;
    private static final int RANGE = 20;
    private static final int DEPLOYED = 60;
    private static final double MAX_SHARE = 1.05;
    /** Causes of calls, but for those that are due at their time or because a node is slow. */
    private static final List<String> CAUSES = List.of("client", "follower", "prefetch", "verify", "sample", "other");

    private final SignedTransactions transactions = new SignedTransactions();
    private final TestChain chain = new TestChain(1, transactions, Memory.REMEMBERS);
    private final Mempools pools = new Mempools(chain, null);
    private int asked;

    /** As ponder does: logs of ranges, and for each block with logs the block and its receipts. */
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 230", "1, 300", "3, 0", "3, 230", "3, 300"})
    void blocksAndReceiptsOfLogs(int size, int finalized) {
        chain.mine(BLOCKS);
        chain.finalize(finalized);
        replay(size, pool -> {
            ask(pool, "eth_getBlockByNumber", "latest", false);
            ask(pool, "eth_getBlockByNumber", "finalized", false);
            for (int first = 1; first < BLOCKS; first += RANGE) {
                String address = SignedTransactions.contract(1).hex();
                JsonNode logs = ask(
                        pool,
                        "eth_getLogs",
                        Map.of("address", address, "fromBlock", hex(first), "toBlock", hex(first + RANGE - 1)));
                Stream<String> blocks = members(logs, "blockNumber")
                        .map(block -> JsonRpcClient.call("eth_getBlockByNumber", block, true));
                Stream<String> receipts = members(logs, "transactionHash")
                        .map(transaction -> JsonRpcClient.call("eth_getTransactionReceipt", transaction));
                askAll(pool, Stream.concat(blocks, receipts).toList());
            }
        });
    }

    private static Stream<String> members(JsonNode logs, String name) {
        return logs.valueStream().map(log -> log.path(name).asString()).distinct();
    }

    /** As subsquid does: batches of blocks, their logs, and all receipts of each block. */
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 230", "1, 300", "3, 0", "3, 230", "3, 300"})
    void batchesOfBlocksAndReceipts(int size, int finalized) {
        chain.mine(BLOCKS);
        chain.finalize(finalized);
        replay(size, pool -> {
            for (int first = 1; first < BLOCKS; first += RANGE) {
                List<String> numbers = IntStream.range(first, first + RANGE)
                        .mapToObj(BackfillIT::hex)
                        .toList();
                askBatch(
                        pool,
                        numbers.stream()
                                .map(number -> JsonRpcClient.call("eth_getBlockByNumber", number, true))
                                .toList());
                ask(pool, "eth_getLogs", Map.of("fromBlock", hex(first), "toBlock", hex(first + RANGE - 1)));
                askBatch(
                        pool,
                        numbers.stream()
                                .map(number -> JsonRpcClient.call("eth_getBlockReceipts", number))
                                .toList());
            }
        });
    }

    /** Deployments on a development node, which makes a block of each transaction. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void deployments(int size) {
        pools.mine(0);
        replay(size, pool -> {
            for (int i = 0; i < DEPLOYED; i++) {
                Signed signed = transactions.at(i);
                String sender = signed.sender().hex();
                ask(pool, "eth_getTransactionCount", sender, "pending");
                ask(pool, "eth_estimateGas", Map.of("from", sender, "data", "0x00"));
                ask(pool, "eth_getBlockByNumber", "latest", false);
                ask(pool, "eth_sendRawTransaction", pools.raw(signed));
                pools.mine(1);
                await().until(() -> ask(
                                pool, "eth_getTransactionReceipt", signed.hash().hex())
                        .isObject());
                ask(pool, "eth_getTransactionByHash", signed.hash().hex());
                ask(pool, "eth_getCode", SignedTransactions.contract(i).hex(), "latest");
            }
        });
    }

    private void replay(int size, Consumer<NodePool> backfill) {
        List<ChainServer> nodes = IntStream.range(0, size)
                .mapToObj(i -> pools.node(i, Duration.ZERO, Duration.ZERO))
                .toList();
        try (NodePool pool = new NodePool(nodes)) {
            await().until(() -> pool.result("eth_blockNumber").asString().equals(hex(chain.head())));
            double before = sent(pool);
            long mined = chain.head();
            long begun = System.nanoTime();
            backfill.accept(pool);
            double got = sent(pool) - before;
            mined = chain.head() - mined;
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
            List<String> sent = pool.weir()
                    .admin()
                    .metrics()
                    .lines()
                    .filter(line -> line.startsWith("weir_upstream_sent_total"))
                    .toList();
            // Beside them each node is asked for its head and both final blocks every second, and one node for each new
            // block.
            assertThat(got)
                    .as("of %d calls in %d s: %s", asked, seconds, sent)
                    .isLessThanOrEqualTo(asked * MAX_SHARE + mined + 3 * (1 + seconds) * size);
        }
    }

    private static double sent(NodePool pool) {
        return CAUSES.stream()
                .mapToDouble(cause -> pool.weir().admin().metric("weir_upstream_sent_total", "cause=\"" + cause + '"'))
                .sum();
    }

    private JsonNode ask(NodePool pool, String method, Object... params) {
        asked++;
        return pool.result(method, params);
    }

    private void askAll(NodePool pool, List<String> calls) {
        asked += calls.size();
        JsonRpcClient client = new JsonRpcClient(pool.weir().url());
        calls.stream().map(client::postLater).toList().forEach(CompletableFuture::join);
    }

    private void askBatch(NodePool pool, List<String> calls) {
        asked += calls.size();
        List<String> numbered = new ArrayList<>();
        calls.forEach(call -> numbered.add(call.replace("\"id\":1", "\"id\":" + (numbered.size() + 1))));
        new JsonRpcClient(pool.weir().url()).post(numbered.toString());
    }

    private static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }
}
