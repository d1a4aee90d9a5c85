package io.weir.wallet;

import static io.weir.wallet.WalletFixture.QUICK;
import static io.weir.wallet.WalletFixture.felt;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.RpcException;
import io.weir.wallet.approval.Content;
import io.weir.wallet.testing.ScriptedNode;
import io.weir.wallet.testing.ScriptedNode.Mishap;
import io.weir.wallet.testing.Secrets;
import io.weir.wallet.testing.TestSeeds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks for seeds and keys in everything that the wallet writes, answers, sends and asks. */
class NoSecretIT {
    private final Secrets secrets = Secrets.of(TestSeeds.SENTENCE);

    @TempDir
    Path folder;

    @Test
    void theSearchFindsWhatItLooksFor() {
        assertThat(secrets.in(secrets.everything().getBytes(StandardCharsets.ISO_8859_1)))
                .hasSize(secrets.count());
    }

    @Test
    void noSecretIsInStateAnswersErrorsTransactionsOrRequestsForApproval() {
        StringBuilder said = new StringBuilder();
        try (ScriptedNode node = new ScriptedNode();
                WalletFixture wallet = WalletFixture.start(folder, node, QUICK)) {
            node.advanceByItself();
            String address = wallet.address(0);
            Map<String, Object> transfer = WalletFixture.transferFrom(address);
            said.append(wallet.call("l2Net_createAccount", Map.of("addressIndex", 0, "deploy", true)));
            said.append(node.lastTransaction());
            said.append(wallet.call("l2Net_sendTransaction", transfer));
            said.append(node.lastTransaction());
            node.expect(Mishap.REFUSED, Mishap.LOST_BEFORE);
            said.append(text(wallet.failure("l2Net_sendTransaction", transfer)));
            said.append(text(wallet.failure("l2Net_sendTransaction", transfer)));
            said.append(wallet.call("l2Net_displayPrivateKey", Map.of("userAddress", address)));
            said.append(wallet.call("l2Net_extractPublicKey", Map.of("userAddress", address)));
            said.append(wallet.call("l2Net_recoverAccounts", Map.of("maxScanned", 3, "maxMissed", 3)));
            said.append(wallet.call("l2Net_getStoredUserAccounts", Map.of()));
            said.append(wallet.call("l2Net_getTransactions", Map.of("senderAddress", address, "withDeployTxn", true)));
            said.append(wallet.approvals.asked.stream().map(Content::toString).collect(Collectors.joining()));
            assertThat(secrets.in(wallet.approvals.shown))
                    .as("the key that was shown")
                    .isNotEmpty();
            assertThat(node.nonces(felt(address))).hasSizeGreaterThanOrEqualTo(2);
        }
        assertThat(said.length()).isGreaterThan(2000);
        assertThat(secrets.in(said.toString())).isEmpty();
        assertThat(secrets.below(folder)).isEmpty();
    }

    private static String text(RpcException error) {
        return error.code() + error.getMessage() + error.data();
    }
}
