package io.weir.wallet;

import static io.weir.wallet.WalletFixture.felt;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.wallet.testing.LedgerChain;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A development node that is started again has another chain, on which nothing of the old one counts. */
class ChainRestartTest {
    @TempDir
    Path folder;

    private final LedgerChain chain = new LedgerChain();
    private WalletFixture wallet;

    @BeforeEach
    void start() {
        wallet = WalletFixture.start(folder, chain, WalletFixture.QUICK);
    }

    @AfterEach
    void stop() {
        wallet.close();
    }

    @Test
    void nothingOfTheOldChainIsAnsweredAndADeploymentWorksAtOnce() {
        chain.advanceByItself();
        Map<String, Object> deployment = Map.of("addressIndex", 0, "deploy", true, "requestId", "first");
        String old = wallet.call("l2Net_createAccount", deployment)
                .path("transaction_hash")
                .stringValue();
        await().atMost(60, SECONDS).until(() -> status(old).equals("ACCEPTED_ON_L2"));
        chain.startAgain();

        await().atMost(60, SECONDS)
                .until(() -> wallet.failure("l2Net_getTransactionStatus", Map.of("transactionHash", old)) != null);
        assertThat(wallet.failure("l2Net_getTransactionStatus", Map.of("transactionHash", old))
                        .code())
                .isEqualTo(29);
        assertThat(wallet.call("l2Net_getStoredUserAccounts", Map.of())).isEmpty();
        String address = wallet.address(0);
        assertThat(wallet.call("l2Net_getTransactions", Map.of("senderAddress", address, "onlyFromState", true)))
                .isEmpty();
        wallet.call("l2Net_createAccount", deployment);
        assertThat(chain.nonces(felt(address))).containsExactly(0L);
    }

    private String status(String hash) {
        return wallet.call("l2Net_getTransactionStatus", Map.of("transactionHash", hash))
                .stringValue();
    }
}
