package io.weir.app.reorg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.AskedCall;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The running proxy before a chain whose blocks are final only thousands of blocks later. */
final class LateFinalityIT {

    private static final int BEHIND = 2_500;

    private final TestChain chain = new TestChain(11, new SignedTransactions(), Memory.FORGETS);
    private final ChainServer node = new ChainServer(chain);

    @ParameterizedTest
    @ValueSource(strings = {"off", "before-caching"})
    void blocksBetweenTheFinalOneAndTheHeadAreCachedAndOutlastAPause(String verify) {
        mine(BEHIND + 400);
        long deep = chain.head() - 2_200;
        long near = chain.head() - 30;
        try (node;
                LocalProxy weir = LocalProxy.start(configuration(verify))) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            awaitHit(client, deep);
            awaitHit(client, near);
            int before = node.count(asked(deep)) + node.count(asked(near));
            mine(240);
            client.result("eth_getBlockByNumber", "latest", false);
            assertThat(isHit(client, deep)).as("the block far below the head").isTrue();
            assertThat(isHit(client, near))
                    .as("the block that was near the head")
                    .isTrue();
            assertThat(node.count(asked(deep)) + node.count(asked(near))).isEqualTo(before);
            awaitHit(client, chain.head() - 100);
        }
    }

    private void mine(int count) {
        chain.mineEmpty(count);
        chain.finalize(chain.head() - BEHIND);
    }

    private String configuration(String verify) {
        return ConfigurationText.of("testnet", Long.toString(SignedTransactions.CHAIN_ID))
                .upstream("node", node.url())
                .networkSetting("verify = " + verify)
                .networkSetting("head.max-age = 100 ms")
                .text();
    }

    private static AskedCall asked(long number) {
        return new AskedCall("eth_getBlockByNumber", "[\"0x" + Long.toHexString(number) + "\",true]");
    }

    /** An answer is stored a moment after it went out. */
    private static void awaitHit(JsonRpcClient client, long number) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> isHit(client, number));
    }

    private static boolean isHit(JsonRpcClient client, long number) {
        HttpResponse<String> response =
                client.post(JsonRpcClient.call("eth_getBlockByNumber", "0x" + Long.toHexString(number), true));
        assertThat(response.body()).contains("\"result\":{");
        return response.headers().firstValue("Cache-Status").orElse("").startsWith("weir; hit");
    }
}
