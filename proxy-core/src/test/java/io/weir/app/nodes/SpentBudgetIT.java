package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose units of the day are spent, before and after a restart of the proxy. */
final class SpentBudgetIT {

    private static final int TOO_MANY_REQUESTS = 429;

    private final TestChain chain = new TestChain(1, new SignedTransactions(), Memory.REMEMBERS);

    @TempDir
    private Path folder;

    private int accounts;

    private HttpResponse<String> call(LocalProxy weir) {
        String account = "0x%040x".formatted(++accounts);
        return new JsonRpcClient(weir.url()).post(JsonRpcClient.call("eth_getBalance", account, "latest"));
    }

    private static void assertSpent(LocalProxy weir, HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(TOO_MANY_REQUESTS);
        assertThat(Integer.parseInt(answer.headers().firstValue("retry-after").orElseThrow()))
                .isBetween(1, 86_400);
        assertThat(weir.admin().readyStatus()).isEqualTo(200);
        assertThat(weir.admin()
                        .status()
                        .at("/networks/main/upstreams/0/budget/state")
                        .asString())
                .isEqualTo("over budget");
    }

    @Test
    void aSpentDayMeansTheSameAfterARestart() {
        chain.mine(3);
        try (ChainServer node = new ChainServer(chain)) {
            String text = ConfigurationText.of("main", Long.toString(SignedTransactions.CHAIN_ID))
                    .upstream("node", node.url())
                    .networkSetting("upstreams.node.budget.per-day = 60")
                    .networkSetting("balance.wait = 100 ms")
                    .setting("server.data = \"" + folder.resolve("data") + '"')
                    .text();
            try (LocalProxy weir = LocalProxy.start(text)) {
                await().until(() -> call(weir).statusCode() == TOO_MANY_REQUESTS);
                // Probes take the last units.
                await().until(() -> weir.admin()
                                .status()
                                .at("/networks/main/upstreams/0/budget/leftToday")
                                .asInt()
                        == 0);
                assertSpent(weir, call(weir));
            }
            int asked = node.counts().values().stream().mapToInt(count -> count).sum();
            try (LocalProxy weir = LocalProxy.start(text)) {
                assertSpent(weir, call(weir));
            }
            assertThat(node.counts().values().stream().mapToInt(count -> count).sum())
                    .isEqualTo(asked);
        }
    }
}
