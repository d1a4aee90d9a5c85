package io.weir.app.absence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.ChainState;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Starts beside a node that is not at the head of the chain, and does not say so. */
final class StartIT {

    private static final int BLOCKS = 300;

    private static TestChain chain(long seed, long blockSeconds) {
        long now = System.currentTimeMillis() / 1_000;
        TestChain chain = new TestChain(
                seed, new SignedTransactions(), Memory.FORGETS, now - BLOCKS * blockSeconds, 1_000 * blockSeconds);
        chain.mine(BLOCKS);
        return chain;
    }

    @ParameterizedTest
    @CsvSource({
        "2, 1, 0",
        "2, 1, 100",
        "2, 1, 270",
        "2, 2, 0",
        "2, 12, 0",
        "2, 12, 100",
        "3, 1, 0",
        "3, 2, 100",
        "5, 1, 0",
    })
    void noAnswerIsFromTheHeadOfANodeThatIsBehind(int nodes, long blockSeconds, int behindAt) {
        TestChain chain = chain(behindAt + blockSeconds, blockSeconds);
        ChainState early = chain.state().upTo(behindAt);
        List<ChainServer> servers = new ArrayList<>();
        servers.add(new ChainServer(chain).see(state -> early));
        for (int i = 1; i < nodes; i++) {
            servers.add(new ChainServer(chain));
        }
        try (NodePool pool = new NodePool(servers)) {
            for (int i = 0; i < 50; i++) {
                assertThat(pool.result("eth_blockNumber").asString()).isEqualTo("0x" + Long.toHexString(BLOCKS));
                assertThat(pool.result("eth_getBlockByNumber", "latest", false)
                                .path("number")
                                .asString())
                        .isEqualTo("0x" + Long.toHexString(BLOCKS));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"2", "3"})
    void aNodeThatBeginsAnewDoesNotTakeTheHeadWithIt(int nodes) {
        TestChain chain = chain(nodes, 1);
        ChainState genesis = chain.state().upTo(0);
        List<ChainServer> servers = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            servers.add(new ChainServer(chain));
        }
        try (NodePool pool = new NodePool(servers)) {
            await().until(() -> pool.result("eth_blockNumber").asString().equals("0x" + Long.toHexString(BLOCKS)));
            servers.get(0).see(state -> genesis);
            long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
            while (System.nanoTime() < end) {
                JsonNode latest = pool.result("eth_getBlockByNumber", "latest", false);
                assertThat(latest.path("number").asString()).isEqualTo("0x" + Long.toHexString(BLOCKS));
            }
        }
    }
}
