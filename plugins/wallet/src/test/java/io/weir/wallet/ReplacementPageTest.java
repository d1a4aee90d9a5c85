package io.weir.wallet;

import static io.weir.wallet.WalletFixture.felt;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.AdminPage.Response;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.page.ApprovalsPage;
import io.weir.wallet.page.PageClient;
import io.weir.wallet.testing.LedgerChain;
import io.weir.wallet.testing.ScriptedNode.Mishap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The transactions on their way, as a person sees and replaces them on the approvals page. */
class ReplacementPageTest {

    private static final String LEGACY = "0x25ec026985a3bf9d0cc1fe17326b245dfdc3ff89b8fde106542a3ea56c5a918";

    @TempDir
    Path folder;

    private final LedgerChain chain = new LedgerChain();
    private ApprovalFixture approvals;
    private WalletFixture wallet;
    private PageClient client;
    private String sender;
    private String stuck;

    @BeforeEach
    void start() throws IOException {
        wallet = WalletFixture.start(Files.createDirectories(folder.resolve("wallet")), chain, WalletFixture.QUICK);
        approvals = ApprovalFixture.of(folder, "");
        ApprovalsPage page = new ApprovalsPage(
                "wallet",
                approvals.queue(),
                approvals.settings(),
                Clock.systemUTC(),
                System::nanoTime,
                new SecureRandom());
        page.offer(wallet.sources());
        client = new PageClient(page);
        sender = wallet.deployedAccount(chain::addContract);
        chain.allowGaps();
        stuck = wallet.call("l2Net_sendTransaction", WalletFixture.transferFrom(sender))
                .path("transaction_hash")
                .stringValue();
    }

    @AfterEach
    void stop() {
        wallet.close();
        approvals.close();
    }

    private Response replace(String how, String cookie, String token) {
        return client.post("replace", cookie, Map.of("token", token, "hash", stuck, "how", how, "sure", "yes"));
    }

    private Response replace(String how) {
        String cookie = client.signedIn(ApprovalFixture.CREDENTIAL);
        return replace(how, cookie, client.token(cookie));
    }

    @Test
    void theListNamesEachTransactionWithItsCost() {
        String cookie = client.signedIn(ApprovalFixture.CREDENTIAL);
        assertThat(PageClient.text(client.get("transactions", cookie, Map.of())))
                .contains(
                        stuck,
                        WalletFixture.TENANT,
                        felt(sender).toPaddedHex(),
                        "nonce 0",
                        "transfer",
                        "A replacement costs at most")
                .contains("value=\"cancel\"", "value=\"raise\"");
    }

    @Test
    void nobodySeesOrReplacesTransactionsWithoutASession() {
        assertThat(PageClient.text(client.get("transactions", "", Map.of()))).doesNotContain(stuck);
        assertThat(replace("cancel", "", "any").status()).isEqualTo(403);
        String cookie = client.signedIn(ApprovalFixture.CREDENTIAL);
        assertThat(replace("cancel", cookie, "the token of another session").status())
                .isEqualTo(403);
        assertThat(chain.nonces(felt(sender))).containsExactly(0L);
    }

    @ParameterizedTest
    @CsvSource({"cancel, Cancel this transaction?", "raise, Raise the fee of this transaction?"})
    void aPersonIsAskedOnceMoreAndSeesTheCallsThen(String how, String question) {
        String cookie = client.signedIn(ApprovalFixture.CREDENTIAL);
        Response asked =
                client.post("replace", cookie, Map.of("token", client.token(cookie), "hash", stuck, "how", how));
        assertThat(asked.status()).isEqualTo(200);
        assertThat(PageClient.text(asked))
                .contains(
                        question, "transfer 0.000000000000000002 STRK to 0x", "0x2, 0x0", "name=\"sure\" value=\"yes\"")
                .contains("value=\"" + how + "\"");
        assertThat(chain.nonces(felt(sender))).containsExactly(0L);
    }

    @Test
    void cancelSignsATransferOfNothingAndShowsItsHash() {
        Response response = replace("cancel");
        assertThat(response.status()).isEqualTo(200);
        assertThat(PageClient.text(response)).contains("Sent", chain.lastHash().toPaddedHex());
        assertThat(chain.lastTransaction().path("calldata").path(5).stringValue())
                .as("the amount")
                .isEqualTo("0x0");
        assertThat(chain.nonces(felt(sender))).containsExactly(0L, 0L);
    }

    @Test
    void raiseSignsTheSameCallAgain() {
        assertThat(replace("raise").status()).isEqualTo(200);
        assertThat(chain.lastTransaction().path("calldata").path(5).stringValue())
                .as("the amount")
                .isEqualTo("0x2");
        assertThat(chain.lastHash().toPaddedHex()).isNotEqualTo(stuck);
    }

    @Test
    void theCallsAreLaidOutAsTheContractOfTheAccountWantsThemNow() {
        String key = wallet.call("l2Net_extractPublicKey", Map.of("userAddress", sender))
                .stringValue();
        chain.addContract(felt(sender), felt(LEGACY), felt(key));
        assertThat(replace("cancel").status()).isEqualTo(200);
        assertThat(chain.lastTransaction().path("calldata").valueStream().map(JsonNode::stringValue))
                .as("one call, its place and length in the data, then the data")
                .hasSize(9)
                .startsWith("0x1")
                .containsSubsequence("0x0", "0x3", "0x3");
    }

    @Test
    void aSecondReplacementOfTheSameTransactionIsTooLate() {
        assertThat(replace("cancel").status()).isEqualTo(200);
        Response again = replace("raise");
        assertThat(again.status()).isEqualTo(409);
        assertThat(PageClient.text(again)).contains("Too late");
        assertThat(chain.nonces(felt(sender))).hasSize(2);
    }

    @Test
    void aRefusalOfTheNetworkIsShown() {
        chain.expect(Mishap.REFUSED);
        Response response = replace("raise");
        assertThat(response.status()).isEqualTo(502);
        assertThat(PageClient.text(response)).contains("Not sent", "Account balance is smaller");
    }
}
