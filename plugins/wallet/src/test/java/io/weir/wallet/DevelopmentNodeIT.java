package io.weir.wallet;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.DevelopmentNode;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.testing.HttpChain;
import io.weir.wallet.testing.ScriptedNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The wallet before a real node, where the machine has one. */
class DevelopmentNodeIT {
    private static final String TOKEN = ScriptedNode.TOKEN.toPaddedHex();
    private static final String RECEIVER = "0x0" + "1".repeat(63);

    @TempDir
    Path folder;

    @Test
    void anAccountIsDeployedAndItsTokenTransferredAndReadBack() {
        try (DevelopmentNode node = DevelopmentNode.start(folder)) {
            HttpChain chain = new HttpChain(node.url());
            String settings = "account.kind = openzeppelin, " + WalletFixture.QUICK;
            try (WalletFixture wallet = WalletFixture.start(folder, chain, settings)) {
                String address = wallet.address(0);
                ObjectNode mint = WalletFixture.MAPPER.createObjectNode().put("address", address);
                mint.put("amount", 9_000_000_000_000_000_000L).put("unit", "FRI");
                Waiting.forResult(chain.call("sepolia", "devnet_mint", mint));

                JsonNode created = wallet.call("l2Net_createAccount", Map.of("addressIndex", 0, "deploy", true));
                awaitAccepted(wallet, created);
                JsonNode sent = wallet.call(
                        "l2Net_sendTransaction",
                        Map.of(
                                "contractAddress",
                                TOKEN,
                                "contractFuncName",
                                "transfer",
                                "contractCallData",
                                RECEIVER + ",12345,0",
                                "senderAddress",
                                address));
                awaitAccepted(wallet, sent);
                Map<String, Object> transfer = Map.of(
                        "contractAddress",
                        TOKEN,
                        "contractFuncName",
                        "transfer",
                        "contractCallData",
                        RECEIVER + ",1,0");
                awaitAccepted(
                        wallet,
                        wallet.call(
                                "l2Net_sendTransaction",
                                Map.of("calls", List.of(transfer, transfer), "senderAddress", address)));
                assertThat(wallet.call(
                                        "l2Net_getErc20TokenBalance",
                                        Map.of("tokenAddress", TOKEN, "userAddress", RECEIVER))
                                .stringValue())
                        .isEqualTo("0x303b");
                assertThat(wallet.call("l2Net_recoverAccounts", Map.of())
                                .path(0)
                                .path("publicKey")
                                .stringValue())
                        .isEqualTo(wallet.call("l2Net_extractPublicKey", Map.of("userAddress", address))
                                .stringValue());
            }
        }
    }

    private static void awaitAccepted(WalletFixture wallet, JsonNode sent) {
        String hash = sent.path("transaction_hash").stringValue();
        await().atMost(60, SECONDS)
                .until(() -> wallet.call("l2Net_getTransactionStatus", Map.of("transactionHash", hash))
                        .stringValue()
                        .equals("ACCEPTED_ON_L2"));
    }
}
