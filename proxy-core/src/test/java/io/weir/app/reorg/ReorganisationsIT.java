package io.weir.app.reorg;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reorganisations of random depths before the running proxy, while clients on several connections ask everything. */
final class ReorganisationsIT {

    private static final SignedTransactions TRANSACTIONS = new SignedTransactions();
    private static final int CLIENTS = 3;
    private static final int CHANGES = 6;

    @ParameterizedTest
    @ValueSource(strings = {"off", "before-caching", "before-serving"})
    void clientsGetTheNodesAnswersAndFinalOnesStay(String verify) throws Exception {
        long seed = new Random().nextLong();
        TestChain chain = new TestChain(seed, TRANSACTIONS, Memory.FORGETS);
        chain.mine(150);
        chain.finalize(80);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (ChainServer node = new ChainServer(chain);
                LocalProxy weir = LocalProxy.start(configuration(node, verify))) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            ChainEvents events = new ChainEvents(chain, client, new Random(seed));
            List<AskingClient> asking = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                asking.add(new AskingClient(seed + i, events, client));
            }
            List<Future<?>> running = new ArrayList<>();
            asking.forEach(each -> running.add(threads.submit(each)));
            List<FinalBlock> settled = FinalBlock.settle(chain, node, client);
            for (int i = 0; i < CHANGES; i++) {
                events.change(i == 0);
            }
            events.end();
            for (Future<?> each : running) {
                each.get(60, TimeUnit.SECONDS);
            }
            settled.forEach(block -> block.assertKept("seed " + seed));
            asking.forEach(each -> each.askInBatch(60));
            assertThat(events.deepest())
                    .as("seed %s: depth of the deepest", seed)
                    .isGreaterThan(15);
            assertThat(weir.admin().metric("weir_reorgs_total"))
                    .as("seed %s: reorganisations", seed)
                    .isPositive();
        } finally {
            threads.shutdownNow();
        }
    }

    private static String configuration(ChainServer node, String verify) {
        return ConfigurationText.of("testnet", Long.toString(SignedTransactions.CHAIN_ID))
                .upstream("node", node.url())
                .networkSetting("verify = " + verify)
                .networkSetting("head.max-age = 100 ms")
                .text();
    }
}
