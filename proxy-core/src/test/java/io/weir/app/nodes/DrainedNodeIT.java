package io.weir.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.app.LocalProxy;
import io.weir.testing.ConfigurationText;
import io.weir.testing.JsonRpcClient;
import io.weir.testing.chain.ChainServer;
import io.weir.testing.chain.SignedTransactions;
import io.weir.testing.chain.TestChain;
import io.weir.testing.chain.TestChain.Memory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes that an operator drains while clients call. */
final class DrainedNodeIT {

    private static final String TOKEN = "demo";
    private static final String TOKEN_SHA256 = "2a97516c354b68848cdbd8f54a226a0a55b21ed138e207ad6c5cbb9c00aa5aea";
    private static final int CALLS = 40;

    private int accounts = 4096;
    private final TestChain chain = new TestChain(1, new SignedTransactions(), Memory.REMEMBERS);

    @Test
    void theNextCallsGoToTheOtherNodeAndNoneFails() throws Exception {
        try (ChainServer one = new ChainServer(chain);
                ChainServer other = new ChainServer(chain);
                LocalProxy weir =
                        LocalProxy.start(ConfigurationText.of("testnet", Long.toString(SignedTransactions.CHAIN_ID))
                                .upstream("one", one.url())
                                .upstream("other", other.url())
                                .setting("admin.token-sha256 = \"" + TOKEN_SHA256 + "\"")
                                .text())) {
            JsonRpcClient client = new JsonRpcClient(weir.url());
            assertThat(operate(weir, "one", "drain=true").statusCode()).isEqualTo(200);
            assertThat(answered(client, one, other)).isEqualTo("other");

            operate(weir, "other", "drain=true");
            assertThat(client.answer("eth_getBalance", account(), "latest").has("error"))
                    .isTrue();
            assertThat(weir.admin().readyStatus()).isEqualTo(503);

            operate(weir, "one", "drain=false");
            assertThat(answered(client, one, other)).isEqualTo("one");
            assertThat(weir.admin().readyStatus()).isEqualTo(200);
        }
    }

    /** Makes calls, and returns which node answered all of them. */
    private String answered(JsonRpcClient client, ChainServer one, ChainServer other) {
        int before = calls(one);
        int beforeOther = calls(other);
        for (int i = 0; i < CALLS; i++) {
            client.result("eth_call", Map.of("to", account()), "latest");
        }
        boolean byOne = calls(one) > before;
        boolean byOther = calls(other) > beforeOther;
        return byOne && byOther ? "both" : byOne ? "one" : byOther ? "other" : "none";
    }

    private static int calls(ChainServer node) {
        return node.counts().getOrDefault("eth_call", 0);
    }

    /** Returns an account that no call was about, so that no answer is cached. */
    private String account() {
        return "0x%040x".formatted(++accounts);
    }

    private static HttpResponse<String> operate(LocalProxy weir, String upstream, String what)
            throws IOException, InterruptedException {
        URI target = URI.create(
                "http://127.0.0.1:" + weir.adminPort() + "/upstream?network=testnet&upstream=" + upstream + "&" + what);
        HttpRequest request = HttpRequest.newBuilder(target)
                .header("Authorization", "Bearer " + TOKEN)
                .POST(BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
