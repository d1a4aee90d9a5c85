package io.weir.wallet;

import static io.weir.wallet.WalletFixture.QUICK;
import static io.weir.wallet.WalletFixture.felt;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.testing.ChildProcess;
import io.weir.wallet.testing.HttpChain;
import io.weir.wallet.testing.ScriptedNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Kills a wallet with SIGKILL while a transaction is on its way, and starts another one over what it left. */
class WalletKilledIT {
    private static final Pattern STOPPED = Pattern.compile("stopped");

    @TempDir
    Path folder;

    private final ScriptedNode node = new ScriptedNode();

    @AfterEach
    void stop() {
        node.close();
    }

    private void killAt(String point, String method, String sender) {
        try (ChildProcess child = ChildProcess.startJava(
                "doomed", folder, DoomedWallet.class, folder.toString(), node.url(), point, method, sender)) {
            child.awaitLine(STOPPED, Duration.ofSeconds(60));
            child.kill();
        }
    }

    /** An account that is on the chain already. */
    private String deployedAccount() {
        HttpChain chain = new HttpChain(node.url());
        try (WalletFixture wallet = WalletFixture.start(folder, chain, QUICK)) {
            return wallet.deployedAccount(node::addContract);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"before", "after"})
    void noTransactionIsLostAndNoNonceLeftOut(String point) {
        String address = deployedAccount();
        killAt(point, "l2Net_sendTransaction", address);
        assertThat(node.nonces(felt(address))).hasSize(point.equals("before") ? 0 : 1);

        try (WalletFixture wallet = WalletFixture.start(folder, node, QUICK)) {
            await().atMost(60, SECONDS)
                    .untilAsserted(() -> assertThat(history(wallet, address)).hasSize(1));
            wallet.call("l2Net_sendTransaction", WalletFixture.transferFrom(address));
            assertThat(node.nonces(felt(address))).containsExactly(0L, 1L);
            assertThat(history(wallet, address))
                    .extracting(record -> record.path("status").stringValue())
                    .containsExactly("RECEIVED", "RECEIVED");
        }
    }

    @Test
    void whatNoNodeIsKnownToHaveIsShownAsSubmittingAndTheNextTransactionWaitsForIt() {
        String address = deployedAccount();
        killAt("before", "l2Net_sendTransaction", address);
        HttpChain nowhere = new HttpChain("http://127.0.0.1:9");
        try (WalletFixture wallet = WalletFixture.start(folder, nowhere, QUICK)) {
            assertThat(history(wallet, address))
                    .extracting(record -> record.path("status").stringValue())
                    .containsExactly("SUBMITTING");
        }
        try (WalletFixture wallet = WalletFixture.start(folder, node, "poll.interval = 1 h")) {
            wallet.call("l2Net_sendTransaction", WalletFixture.transferFrom(address));
            assertThat(node.nonces(felt(address))).containsExactly(0L, 1L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"before", "after"})
    void aDeploymentIsNotLostEither(String point) {
        String address = deployedAccountsAddress();
        killAt(point, "l2Net_createAccount", address);
        try (WalletFixture wallet = WalletFixture.start(folder, node, QUICK)) {
            await().atMost(60, SECONDS).until(() -> node.nonces(felt(address)).equals(List.of(0L)));
            node.advance();
            node.advance();
            wallet.call("l2Net_sendTransaction", WalletFixture.transferFrom(address));
            assertThat(node.nonces(felt(address))).containsExactly(0L, 1L);
        }
    }

    private String deployedAccountsAddress() {
        try (WalletFixture wallet = WalletFixture.start(folder, node, QUICK)) {
            return wallet.address(0);
        }
    }

    private static JsonNode history(WalletFixture wallet, String address) {
        return wallet.call("l2Net_getTransactions", Map.of("senderAddress", address, "onlyFromState", true));
    }
}
