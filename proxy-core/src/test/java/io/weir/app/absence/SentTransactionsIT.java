package io.weir.app.absence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.RedisServer;
import io.weir.testing.Runs;
import io.weir.testing.chain.ChainAnswers;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.SignedTransactions.Signed;
import io.weir.testing.chain.TestBlock;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Clients that read what they sent, at nodes with pools of their own that are late with blocks and indexes. */
@Execution(ExecutionMode.CONCURRENT)
final class SentTransactionsIT {

    private static final JsonMapper JSON = new JsonMapper();

    /** Blocks of each case. With 14, the six cases send 504 transactions. */
    private static final int BLOCKS = Runs.number("weir.absence.sends", 5, 14);

    private static final int SENDS = 6;

    private final long seed = new Random().nextLong();
    private final SignedTransactions transactions = new SignedTransactions();
    private final TestChain chain = new TestChain(seed, transactions, Memory.FORGETS);

    /**
     * Sends, reads, mines and reads again.
     *
     * @param gossip milliseconds until other nodes have a transaction; negative if they never have
     * @param headLag milliseconds by which all nodes but the first have a block later
     * @param indexLag milliseconds by which the last node finds the transactions of a block later
     */
    @ParameterizedTest
    @CsvSource({
        "1, -1, 0, 0",
        "1, -1, 0, 400",
        "2, -1, 200, 0",
        "2, 200, 0, 400",
        "3, -1, 300, 300",
        "3, 200, 200, 400",
    })
    void aClientReadsWhatItSentAndWhatCameOfIt(int size, long gossip, long headLag, long indexLag) {
        Mempools pools = new Mempools(chain, gossip < 0 ? null : Duration.ofMillis(gossip));
        pools.mine(0);
        List<ChainServer> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            nodes.add(pools.node(
                    i, Duration.ofMillis(i == 0 ? 0 : headLag), Duration.ofMillis(i == size - 1 ? indexLag : 0)));
        }
        try (NodePool pool = new NodePool(nodes)) {
            await().until(() -> pool.result("eth_blockNumber").asString().equals(hex(chain.head())));
            for (int block = 0; block < BLOCKS; block++) {
                List<Signed> sent = new ArrayList<>();
                for (int i = 0; i < SENDS; i++) {
                    Signed signed = transactions.at(block * SENDS + i);
                    sent.add(signed);
                    assertThat(pool.result("eth_sendRawTransaction", pools.raw(signed))
                                    .asString())
                            .isEqualTo(signed.hash().hex());
                    readPending(pool, sent);
                }
                pools.mine(SENDS);
                readMined(pool, sent, Objects.requireNonNull(chain.state().at(chain.head())));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "before-caching", "before-serving"})
    void whatANodeForgotIsStillShown(String verify) {
        Mempools pools = new Mempools(chain, null);
        pools.mine(0);
        List<ChainServer> nodes =
                List.of(pools.node(0, Duration.ZERO, Duration.ZERO), pools.node(1, Duration.ZERO, Duration.ZERO));
        try (NodePool pool = new NodePool(nodes, "verify = " + verify)) {
            List<Signed> sent = new ArrayList<>();
            for (int i = 0; i < SENDS; i++) {
                Signed signed = transactions.at(i);
                pool.result("eth_sendRawTransaction", pools.raw(signed));
                sent.add(signed);
                pools.forget();
                readPending(pool, sent);
            }
            pools.mine(SENDS);
            readMined(pool, sent, Objects.requireNonNull(chain.state().at(chain.head())));
        }
    }

    @Test
    void whatOneProxySentIsReadThroughAnotherWithTheSameRedis() {
        Mempools pools = new Mempools(chain, null);
        pools.mine(0);
        try (RedisServer redis = RedisServer.start("password");
                ChainServer one = pools.node(0, Duration.ZERO, Duration.ZERO);
                ChainServer other = pools.node(1, Duration.ZERO, Duration.ZERO);
                LocalProxy sender = proxy(one, redis);
                LocalProxy reader = proxy(other, redis)) {
            for (LocalProxy weir : List.of(sender, reader)) {
                await().until(() -> weir.admin().metric("weir_cache_tier_up", "tier=\"redis\"") == 1);
            }
            JsonRpcClient sending = new JsonRpcClient(sender.url());
            JsonRpcClient reading = new JsonRpcClient(reader.url());
            for (int i = 0; i < 20; i++) {
                Signed signed = transactions.at(i);
                sending.result("eth_sendRawTransaction", pools.raw(signed));
                // The sender does not wait for Redis.
                await().until(() -> reading.result(
                                "eth_getTransactionByHash", signed.hash().hex())
                        .equals(JSON.readTree(ChainAnswers.pending(signed).text())));
                assertThat(reading.result(
                                        "eth_getTransactionCount",
                                        signed.sender().hex(),
                                        "pending")
                                .asString())
                        .isEqualTo(hex(signed.transaction().nonce() + 1));
            }
        }
    }

    private static LocalProxy proxy(ChainServer node, RedisServer redis) {
        return LocalProxy.start(ConfigurationText.of("net", Long.toString(SignedTransactions.CHAIN_ID))
                .upstream("node", node.url())
                .setting("cache.redis.url = \"redis://:password@127.0.0.1:" + redis.port() + '"')
                .text());
    }

    private void readPending(NodePool pool, List<Signed> sent) {
        for (Signed signed : sent) {
            same(
                    pool,
                    "seed " + seed,
                    ChainAnswers.pending(signed).text(),
                    "eth_getTransactionByHash",
                    signed.hash().hex());
        }
        Signed last = sent.get(sent.size() - 1);
        assertThat(pool.result("eth_getTransactionCount", last.sender().hex(), "pending")
                        .asString())
                .as("seed %d", seed)
                .isEqualTo(hex(last.transaction().nonce() + 1));
    }

    private void readMined(NodePool pool, List<Signed> sent, TestBlock block) {
        String number = hex(block.number());
        for (int i = 0; i < sent.size(); i++) {
            Signed signed = sent.get(i);
            String hash = signed.hash().hex();
            await().until(() -> {
                if (pool.result("eth_getTransactionReceipt", hash).isObject()) {
                    return true;
                }
                assertThat(pool.result("eth_getTransactionByHash", hash).isObject())
                        .isTrue();
                return false;
            });
            String where = "block " + block.number() + ", transaction " + i + ", seed " + seed;
            same(pool, where, block.transaction(i), "eth_getTransactionByHash", hash);
            same(pool, where, block.receipt(i), "eth_getTransactionReceipt", hash);
            same(pool, where, '"' + number + '"', "eth_blockNumber");
            same(pool, where, block.text(false), "eth_getBlockByHash", block.hash(), false);
            same(pool, where, block.text(false), "eth_getBlockByNumber", number, false);
            same(pool, where, block.text(false), "eth_getBlockByNumber", "latest", false);
            same(pool, where, block.receipts(), "eth_getBlockReceipts", block.hash());
            same(pool, where, logs(block), "eth_getLogs", Map.of("blockHash", block.hash()));
            same(pool, where, logs(block), "eth_getLogs", Map.of("fromBlock", number, "toBlock", number));
            for (String tag : List.of("latest", "pending")) {
                same(
                        pool,
                        where,
                        '"' + hex(nextNonce(sent, signed)) + '"',
                        "eth_getTransactionCount",
                        signed.sender().hex(),
                        tag);
            }
        }
    }

    private static String logs(TestBlock block) {
        return "[" + String.join(",", block.logTexts()) + "]";
    }

    private static long nextNonce(List<Signed> sent, Signed of) {
        return sent.stream()
                .filter(signed -> signed.sender().equals(of.sender()))
                .mapToLong(signed -> signed.transaction().nonce() + 1)
                .max()
                .orElseThrow();
    }

    private static void same(NodePool pool, String where, String expected, String method, Object... params) {
        assertThat(pool.result(method, params)).as("%s, %s", where, method).isEqualTo(JSON.readTree(expected));
    }

    private static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }
}
