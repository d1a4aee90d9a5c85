package io.weir.wallet.page;

import static io.weir.wallet.approval.ApprovalFixture.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.Content.RequestedCall;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListViewTest {
    private static final RequestedCall PAYMENT =
            new RequestedCall(TOKEN, "transfer", List.of(Felt.of(7), Felt.of(1_500_000), Felt.ZERO), List.of());

    @TempDir
    private Path folder;

    private PageFixture pages;

    @BeforeEach
    void open() {
        pages = new PageFixture(folder);
    }

    @AfterEach
    void close() {
        pages.close();
    }

    @Test
    void showsAgeTimeLeftKeyAccountAndAmount() {
        pages.storeAccount("demo", 3);
        pages.approvals.ask(ApprovalFixture.transaction("demo", 1_500_000_000_000_000L, PAYMENT));
        pages.pass(Duration.ofSeconds(75));
        SignedInClient client = SignedInClient.of(pages.page);
        assertThat(client.read("", Map.of()))
                .containsSubsequence(
                        "sendTransaction",
                        "on l2test",
                        "transfer 1.5 USDC",
                        TOKEN.toPaddedHex(),
                        "demo",
                        "account 3 of demo (usual)",
                        ApprovalFixture.ACCOUNT.toPaddedHex(),
                        "0.0015 STRK",
                        "1 min 15 s",
                        "45 s");
        assertThat(client.read("request", Map.of("id", pages.approvals.only().id())))
                .contains("account 3 of demo (usual) 0x", "Age 1 min 15 s, since 2026-11-24T06:00:00Z")
                .contains("Time left 45 s, until 2026-11-24T06:02:00Z", "Transfers 1.5 USDC (named by the contract)")
                .containsSubsequence("STRK (the fee token)", "0.0123456789 STRK", "0.0108456789 STRK")
                .containsSubsequence("USDC (named by the contract)", "5000 USDC", "4998.5 USDC");
    }

    @Test
    void theTitleCountsWhatWaits() {
        SignedInClient client = SignedInClient.of(pages.page);
        assertThat(PageClient.text(client.get("", Map.of()))).contains("<title>Approvals</title>");
        pages.approvals.ask(ApprovalFixture.transaction("demo", 1, PAYMENT));
        pages.approvals.ask(ApprovalFixture.transaction("demo", 2, PAYMENT));
        assertThat(PageClient.text(client.get("", Map.of()))).contains("<title>(2) Approvals</title>");
    }

    @Test
    void thePageOfARequestIsLoadedAgainWhenItsTimeIsOver() {
        pages.approvals.ask(ApprovalFixture.transaction("demo", 1, PAYMENT));
        pages.pass(Duration.ofSeconds(75));
        String id = pages.approvals.only().id();
        SignedInClient client = SignedInClient.of(pages.page);
        assertThat(PageClient.text(client.get("request", Map.of("id", id))))
                .contains("<meta http-equiv=\"refresh\" content=\"46\">", "Asked because", "the policy asks a person");
    }

    private String listAndPage() {
        SignedInClient client = SignedInClient.of(pages.page);
        String id = pages.approvals.only().id();
        return client.read("", Map.of()) + "PAGE" + client.read("request", Map.of("id", id));
    }

    private static String inListAndPage(String warning) {
        return "(?s).*\\Q" + warning + "\\E.*PAGE.*\\Q" + warning + "\\E.*";
    }

    @Test
    void aCallOfTheAccountItselfIsTheMostDangerousKind() {
        RequestedCall upgrade = new RequestedCall(ApprovalFixture.ACCOUNT, "upgrade", List.of(Felt.ONE), List.of());
        pages.approvals.ask(ApprovalFixture.transaction("demo", 1, PAYMENT, upgrade));
        assertThat(listAndPage())
                .matches(inListAndPage("The account calls itself. Such a call can give the account to somebody else: it"
                        + " changes the owner, the guardians or the code. No request is more dangerous."))
                .contains("upgrade at the account itself");
    }

    @Test
    void theDeploymentOfAnAccountIsNoCallOfItself() {
        pages.approvals.ask(ApprovalFixture.transaction(
                "demo", 1, ApprovalFixture.call(ApprovalFixture.ACCOUNT, "constructor"), PAYMENT));
        assertThat(listAndPage()).doesNotContain("calls itself", "danger");
    }

    @Test
    void aFunctionThatTheKnownClassLacksIsAWarning() {
        pages.approvals.ask(
                ApprovalFixture.transaction("demo", 1, new RequestedCall(TOKEN, "sweep", List.of(), List.of(), true)));
        assertThat(listAndPage())
                .matches(inListAndPage("The class of the contract " + TOKEN.toPaddedHex()
                        + " is known. It has no function sweep. The call fails, or does what nobody here knows."));
    }

    @Test
    void anAllowanceWithoutALimitIsAWarning() {
        Felt word = Felt.of(BigInteger.ONE.shiftLeft(127));
        pages.approvals.ask(ApprovalFixture.transaction(
                "demo", 1, new RequestedCall(TOKEN, "approve", List.of(Felt.of(9), word, Felt.ZERO), List.of())));
        assertThat(listAndPage())
                .matches(inListAndPage("An allowance has no limit: the spender can take everything, now and later."));
    }

    @Test
    void knownTokensOfThePublicNetworksNeedNoContract() {
        Felt usdc = Felt.parseHex("0x512feac6339ff7889822cb5aa2a86c848e9d392bb0e3e237c008674feed8343");
        List<Felt> data = List.of(Felt.of(7), Felt.of(2_000_000), Felt.ZERO);
        pages.approvals.ask(
                ApprovalFixture.transaction("demo", 1, new RequestedCall(usdc, "transfer", data, List.of())));
        assertThat(listAndPage())
                .contains(
                        "transfer 2 USDC to " + Felt.of(7).toPaddedHex() + " ",
                        "Transfers 2 USDC (known by its address) = 2000000 of the smallest unit",
                        "Contract USDC " + usdc.toPaddedHex());
    }

    @Test
    void anAccountThatIsNotStoredHasItsAddressAlone() {
        pages.storeAccount("other", 3);
        pages.approvals.ask(ApprovalFixture.transaction("demo", 1, PAYMENT));
        assertThat(SignedInClient.of(pages.page).read("", Map.of()))
                .contains(ApprovalFixture.ACCOUNT.toPaddedHex())
                .doesNotContain("account 3");
    }

    @Test
    void timeThatRunsOutIsMarked() {
        pages.approvals.ask(ApprovalFixture.transfer("demo", 1));
        SignedInClient client = SignedInClient.of(pages.page);
        assertThat(PageClient.text(client.get("", Map.of()))).doesNotContain("number soon");
        pages.pass(Duration.ofSeconds(100));
        assertThat(PageClient.text(client.get("", Map.of()))).contains("number soon");
    }

    @Test
    void spansHaveTheirTwoLargestUnits() {
        assertThat(List.of(-5, 59, 60, 3_599, 3_600, 86_399, 86_400, 200_000).stream()
                        .map(seconds -> Times.span(Instant.EPOCH, Instant.EPOCH.plusSeconds(seconds))))
                .containsExactly(
                        "0 s", "59 s", "1 min 0 s", "59 min 59 s", "1 h 0 min", "23 h 59 min", "1 d 0 h", "2 d 7 h");
    }
}
