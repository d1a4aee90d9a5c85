package io.weir.wallet.page;

import static io.weir.wallet.approval.ApprovalFixture.transfer;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.AdminPage.Response;
import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.state.RequestState;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecisionHistoryTest {
    private static final String RELOADS = "http-equiv=\"refresh\"";

    @TempDir
    private Path folder;

    private PageFixture pages;
    private SignedInClient client;

    @BeforeEach
    void open() {
        pages = new PageFixture(folder);
        client = SignedInClient.of(pages.page);
    }

    @AfterEach
    void close() {
        pages.close();
    }

    private String decide(String decision) {
        String id = pages.approvals.only().id();
        Response response = client.decide(id, decision);
        assertThat(response.status()).isEqualTo(303);
        assertThat(response.headers()).containsEntry("Location", client.path() + "/request?id=" + id);
        return id;
    }

    private String read(String id) {
        return client.read("request", Map.of("id", id));
    }

    private boolean reloads(String id) {
        return PageClient.text(client.get("request", Map.of("id", id))).contains(RELOADS);
    }

    @Test
    void anApprovedRequestShowsItsTransactionUntilThatIsSettled() {
        CompletableFuture<Decision> asked = pages.approvals.ask(transfer("demo", 1_000));
        String id = decide("approve");
        assertThat(asked).isCompletedWithValue(Decision.APPROVED);
        assertThat(read(id))
                .containsSubsequence("Approved: sendTransaction", "It is being carried out.")
                .contains("Approved by approver, 2026-11-24T06:00:00Z, 0 s ago")
                .contains("0.000000000000001 STRK (1000 FRI)");
        assertThat(reloads(id)).isTrue();

        StoredTransaction signed = pages.sign(id);
        pages.requests.move(id, RequestState.SUBMITTED, "", 0, "");
        assertThat(read(id))
                .contains("signed; it is not known yet", signed.hash().toPaddedHex(), "Nonce 4");
        assertThat(reloads(id)).isTrue();

        pages.transactions.move(signed, TransactionState.ACCEPTED_ON_L2, "");
        assertThat(read(id)).contains("Transaction: in a block.");
        assertThat(reloads(id)).isFalse();
    }

    @Test
    void aSecondDecisionIsToldOfTheFirst() {
        pages.approvals.ask(transfer("demo", 1));
        String id = decide("approve");
        Response second = client.decide(id, "refuse");
        assertThat(second.status()).isEqualTo(409);
        assertThat(PageClient.text(second))
                .contains("Your decision does not count. It came second: Approved by approver, 2026-11-24T06:00:00Z.");
    }

    @Test
    void theResultAndTheHistoryNameTheRecipient() {
        pages.approvals.ask(ApprovalFixture.transaction(
                "demo",
                1,
                new RequestedCall(
                        ApprovalFixture.TOKEN,
                        "transfer",
                        List.of(Felt.of(7), Felt.of(1_500_000), Felt.ZERO),
                        List.of())));
        client.read("", Map.of());
        String id = decide("approve");
        String payment = "transfer 1.5 USDC to " + Felt.of(7).toPaddedHex() + ", token "
                + ApprovalFixture.TOKEN.toPaddedHex() + " (symbol and decimals named by the contract)";
        assertThat(read(id)).contains("Content " + payment);
        assertThat(client.read("history", Map.of())).contains(payment);
    }

    @Test
    void aRevertedTransactionSaysWhy() {
        pages.approvals.ask(transfer("demo", 1));
        String id = decide("approve");
        pages.transactions.move(pages.sign(id), TransactionState.ACCEPTED_ON_L2, "not enough of the token");
        assertThat(read(id)).contains("in a block, but reverted: not enough of the token.");
        assertThat(PageClient.text(client.get("request", Map.of("id", id)))).contains("status failed");
    }

    @Test
    void aRefusedRequestSaysThatNothingWasSigned() {
        CompletableFuture<Decision> asked = pages.approvals.ask(transfer("demo", 1));
        String id = decide("refuse");
        assertThat(asked).isCompletedWithValue(Decision.REFUSED);
        assertThat(read(id))
                .containsSubsequence("Refused: sendTransaction", "Nothing was signed.", "Refused by approver");
        assertThat(reloads(id)).isFalse();
    }

    @Test
    void aRequestThatFailedBeforeASignatureSaysWhy() {
        pages.approvals.ask(transfer("demo", 1));
        String id = decide("approve");
        pages.requests.move(id, RequestState.FAILED, "", 0, "<b>no node answers");
        assertThat(read(id)).contains("Nothing came of it: &lt;b&gt;no node answers.");
    }

    @Test
    void aRequestLeftOpenByAnEarlierProcessIsNotWaitedFor() {
        pages.approvals.ask(transfer("demo", 1));
        String id = decide("approve");
        pages.requests.endOpen();
        assertThat(read(id)).contains("the proxy stopped before the result was known");
        assertThat(reloads(id)).isFalse();
    }

    @Test
    void anUnsettledRequestStopsToReloadAfterAnHour() {
        pages.approvals.ask(transfer("demo", 1));
        String id = decide("approve");
        pages.pass(Duration.ofMinutes(59));
        assertThat(reloads(id)).isTrue();
        pages.pass(Duration.ofMinutes(1));
        assertThat(reloads(id)).isFalse();
    }

    @Test
    void theHistoryIsPagedAndBounded() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 130; i++) {
            pages.approvals.ask(transfer("tenant" + i, 1));
            ids.add(decide("refuse"));
        }
        String first = client.read("history", Map.of());
        assertThat(first)
                .containsSubsequence("tenant129", "tenant128", "tenant80", "Older")
                .doesNotContain("tenant79");
        String second = client.read("history", Map.of("before", ids.get(80)));
        assertThat(second).containsSubsequence("tenant79", "tenant30", "Older").doesNotContain("tenant80");
        assertThat(client.read("history", Map.of("before", ids.get(30))))
                .as("the table holds 120")
                .contains("tenant29", "tenant10")
                .doesNotContain("tenant9 ", "Older");
    }

    @Test
    void aPageAfterAnUnknownDecisionIsEmpty() {
        pages.approvals.ask(transfer("demo", 1));
        decide("refuse");
        assertThat(client.read("history", Map.of("before", "x"))).contains("None.");
    }

    @Test
    void aHistoryWithoutDecisionsSaysSo() {
        assertThat(client.read("history", Map.of())).contains("None.");
    }

    @Test
    void aHistoryThatCannotBeWrittenHindersNoDecision() {
        CompletableFuture<Decision> asked = pages.approvals.ask(transfer("demo", 1));
        pages.database.close();
        client.decide(pages.approvals.only().id(), "approve");
        assertThat(asked).isCompletedWithValue(Decision.APPROVED);
    }

    @Test
    void theHistoryIsForThoseWhoAreSignedInAlone() {
        pages.approvals.ask(transfer("secretive", 1));
        decide("refuse");
        Response response = new PageClient(pages.page).get("history", "", Map.of());
        assertThat(PageClient.text(response)).contains("credential").doesNotContain("secretive");
        assertThat(client.read("history", Map.of())).contains("secretive", ApprovalFixture.ACCOUNT.toPaddedHex());
    }
}
