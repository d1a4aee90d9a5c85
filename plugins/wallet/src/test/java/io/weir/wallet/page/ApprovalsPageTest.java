package io.weir.wallet.page;

import static io.weir.wallet.approval.ApprovalFixture.CREDENTIAL;
import static io.weir.wallet.approval.ApprovalFixture.transfer;
import static io.weir.wallet.page.PageClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.AdminPage.Response;
import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.Content;
import io.weir.wallet.approval.Content.Argument;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.testing.TestRequests;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ApprovalsPageTest {

    private static final String LIST_SCRIPT = "<script src=\"/plugins/wallet/approvals/list.js\" defer></script>";

    @TempDir
    private Path folder;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private ApprovalFixture fixture;
    private ApprovalsPage page;

    @BeforeEach
    void open() {
        use("");
    }

    private void use(String settings) {
        close();
        fixture = ApprovalFixture.of(folder, settings);
        page = new ApprovalsPage(
                "wallet", fixture.queue(), fixture.settings(), Clock.systemUTC(), nanos::get, new SecureRandom());
    }

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private Response get(String subPath, String cookie, Map<String, String> query) {
        return new PageClient(page).get(subPath, cookie, query);
    }

    private Response post(String subPath, String cookie, Map<String, String> fields) {
        return new PageClient(page).post(subPath, cookie, fields);
    }

    private String signIn() {
        return new PageClient(page).signedIn(CREDENTIAL);
    }

    private String token(String cookie) {
        return new PageClient(page).token(cookie);
    }

    private Response decide(String cookie, String token, String id, String decision) {
        return new PageClient(page).decide(cookie, token, id, decision);
    }

    @Test
    void nothingIsShownToWhoHasNotSignedIn() {
        fixture.ask(transfer("secretive", 1));
        String id = fixture.only().id();
        for (Response response : List.of(
                get("", "", Map.of()),
                get("", "weir-approver=guessed", Map.of()),
                get("request", "", Map.of("id", id)),
                get("anything", "", Map.of()))) {
            assertThat(text(response))
                    .contains("Your credential")
                    .doesNotContain("secretive")
                    .doesNotContain(id);
        }
    }

    @Test
    void theListAndTheRequestShowTheAddressOfTheCaller() {
        fixture.ask(transfer("demo", 1));
        String cookie = signIn();
        assertThat(PageClient.text(get("", cookie, Map.of()))).contains("from 192.0.2.7");
        Map<String, String> query = Map.of("id", fixture.only().id());
        assertThat(PageClient.text(get("request", cookie, query))).contains("Address", "192.0.2.7");
    }

    @Test
    void aRequestIsApprovedAndAnotherRefused() {
        CompletableFuture<Decision> first = fixture.ask(transfer("demo", 1));
        CompletableFuture<Decision> second = fixture.ask(transfer("demo", 2));
        String cookie = signIn();
        String token = token(cookie);
        List<String> ids =
                fixture.queue().parked().stream().map(one -> one.id()).toList();
        Response approved = decide(cookie, token, ids.get(0), "approve");
        assertThat(approved.status()).isEqualTo(303);
        assertThat(approved.headers())
                .containsEntry("Location", "/plugins/wallet/approvals/" + PageClient.session(cookie));
        assertThat(decide(cookie, token, ids.get(1), "refuse").status()).isEqualTo(303);
        assertThat(first).isCompletedWithValue(Decision.APPROVED);
        assertThat(second).isCompletedWithValue(Decision.REFUSED);
    }

    @Test
    void aRepeatedApprovalDecidesNothing() {
        fixture.ask(transfer("demo", 1));
        String cookie = signIn();
        String token = token(cookie);
        String id = fixture.only().id();
        decide(cookie, token, id, "approve");
        CompletableFuture<Decision> next = fixture.ask(transfer("demo", 1));
        Response replayed = decide(cookie, token, id, "approve");
        assertThat(replayed.status()).isEqualTo(409);
        assertThat(text(replayed)).contains("waits no more");
        assertThat(next).isNotDone();
        assertThat(fixture.count("approvals_approved")).isEqualTo(1);
    }

    @Test
    void aFormOfAnotherSessionOrOfNoneDecidesNothing() {
        CompletableFuture<Decision> asked = fixture.ask(transfer("demo", 1));
        String id = fixture.only().id();
        String cookie = signIn();
        String other = token(signIn());
        for (String token : List.of("", "guessed", other, token(cookie) + "x", cookie)) {
            assertThat(decide(cookie, token, id, "approve").status()).as(token).isEqualTo(403);
        }
        assertThat(decide("", token(cookie), id, "approve").status()).isEqualTo(403);
        assertThat(decide("weir-approver=guessed", token(cookie), id, "approve").status())
                .isEqualTo(403);
        assertThat(post("decision", cookie, Map.of("id", id, "decision", "approve"))
                        .status())
                .isEqualTo(403);
        assertThat(get("decision", cookie, Map.of("id", id, "decision", "approve", "token", token(cookie)))
                        .status())
                .isEqualTo(404);
        assertThat(asked).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "demo", "THE APPROVER'S OWN", "the approver's own ", "the approver's"})
    void nothingButTheCredentialIsOne(String credential) {
        assertThat(post("sign-in", "", Map.of("credential", credential)).status())
                .isEqualTo(403);
    }

    @Test
    void aSessionEndsByItsTimeAndByItsOwner() {
        String cookie = signIn();
        String token = token(cookie);
        nanos.addAndGet(Duration.ofMinutes(15).toNanos() - 1);
        assertThat(text(get("", cookie, Map.of()))).contains("Nothing waits");
        nanos.addAndGet(1);
        assertThat(text(get("", cookie, Map.of()))).contains("credential");
        assertThat(decide(cookie, token, "x", "approve").status()).isEqualTo(403);
        String next = signIn();
        Response out = post("sign-out", next, Map.of("token", token(next)));
        assertThat(out.headers().get("Set-Cookie")).contains("Max-Age=0");
        assertThat(text(get("", next, Map.of()))).contains("credential");
    }

    @Test
    void theCookieIsForTheSessionsOwnPathAlone() {
        Map<String, String> form = Map.of("credential", CREDENTIAL);
        Response signedIn = post("sign-in", "", form);
        assertThat(signedIn.headers().get("Set-Cookie"))
                .matches(
                        "weir-approver=[\\w-]{43}; Path=/plugins/wallet/approvals/[0-9a-f]{64}; HttpOnly; SameSite=Strict;"
                                + " Max-Age=900")
                .contains("Path=" + signedIn.headers().get("Location") + ";");
        assertThat(PageClient.session(signIn())).isNotEqualTo(PageClient.session(signIn()));
        Map<String, String> headers = new HashMap<>(Map.of(
                "origin", "https://ops.example", "content-type", "application/x-www-form-urlencoded; charset=utf-8"));
        assertThat(new PageClient(page).post("sign-in", headers, form).headers().get("Set-Cookie"))
                .endsWith("; Secure");
    }

    @Test
    void theCookieOpensNothingElsewhereAndThePathNothingWithoutIt() {
        CompletableFuture<Decision> asked = fixture.ask(transfer("secretive", 1));
        String cookie = signIn();
        String path = PageClient.session(cookie);
        String sent = cookie.split(";")[0];
        PageClient client = new PageClient(page);
        for (Response response : List.of(
                client.get("", sent, Map.of()),
                client.get("request", sent, Map.of("id", fixture.only().id())),
                client.get(PageClient.session(signIn()), Map.of("cookie", sent), Map.of()),
                client.get(path, Map.of(), Map.of()),
                client.get(path, Map.of("cookie", "weir-approver=" + path), Map.of()))) {
            assertThat(text(response))
                    .contains("Your credential")
                    .doesNotContain("secretive")
                    .doesNotContain(path);
        }
        Map<String, String> form =
                Map.of("token", token(cookie), "id", fixture.only().id(), "decision", "approve");
        assertThat(client.post("decision", sent, form).status()).isEqualTo(403);
        assertThat(client.post(path + "/decision", "", form).status()).isEqualTo(403);
        assertThat(asked).isNotDone();
    }

    @Test
    void cookiesThatAnotherServerOfTheHostSetNeitherSignInNorOut() {
        String cookie = signIn();
        String other = signIn().split(";")[0];
        String tossed = "weir-approver=tossed; " + other + "; " + cookie.split(";")[0] + "; weir-approver=";
        PageClient client = new PageClient(page);
        assertThat(text(client.get(PageClient.session(cookie), Map.of("cookie", tossed), Map.of())))
                .contains("Nothing waits");
        assertThat(text(client.get("", Map.of("cookie", tossed), Map.of()))).contains("Your credential");
    }

    @ParameterizedTest
    @ValueSource(strings = {"same-site", "cross-site"})
    void aPageOfAnotherServerThatSendsTheBrowserHereUsesNoSession(String site) {
        CompletableFuture<Decision> asked = fixture.ask(transfer("secretive", 1));
        String cookie = signIn();
        String path = PageClient.session(cookie);
        PageClient client = new PageClient(page);
        Map<String, String> headers = Map.of(
                "cookie",
                cookie.split(";")[0],
                "content-type",
                "application/x-www-form-urlencoded",
                "sec-fetch-site",
                site);
        assertThat(text(client.get(path, headers, Map.of())))
                .contains("Your credential")
                .doesNotContain("secretive");
        Map<String, String> form =
                Map.of("token", token(cookie), "id", fixture.only().id(), "decision", "approve");
        assertThat(client.post(path + "/decision", headers, form).status()).isEqualTo(403);
        Response signIn = client.post("sign-in", headers, Map.of("credential", CREDENTIAL));
        assertThat(signIn.status()).isEqualTo(403);
        assertThat(signIn.headers()).doesNotContainKey("Set-Cookie");
        assertThat(asked).isNotDone();
    }

    @Test
    void sessionsAreBoundedInNumber() {
        String first = signIn();
        for (int i = 0; i < 32; i++) {
            signIn();
        }
        assertThat(text(get("", first, Map.of()))).contains("credential");
    }

    @Test
    void whatACallerWroteIsTextWhereverItStands() {
        String evil = "<script>steal()</script><img src=x onerror=steal()>\"'>";
        RequestedCall call =
                new RequestedCall(Felt.ONE, evil, List.of(Felt.ONE), List.of(new Argument(evil, evil, evil)));
        fixture.ask(ApprovalFixture.transaction(evil, 1, call));
        fixture.ask(ApprovalFixture.message(
                "demo", "{\"primaryType\":\"<script>steal()</script>\",\"domain\":{\"name\":\"</pre><script>\"}}"));
        String cookie = signIn();
        String all = text(get("", cookie, Map.of()));
        for (var one : fixture.queue().parked()) {
            all += text(get("request", cookie, Map.of("id", one.id())));
        }
        assertThat(all.replace(LIST_SCRIPT, ""))
                .contains("&lt;script&gt;steal()")
                .doesNotContain("<script")
                .doesNotContain("<img")
                .doesNotContain("</pre><");
    }

    @Test
    void theFactsOfATransactionAreAllThere() {
        RequestedCall call = new RequestedCall(
                ApprovalFixture.TOKEN,
                "transfer",
                List.of(Felt.of(7), Felt.of(255)),
                List.of(new Argument("recipient", "address", "0x7"), new Argument("amount", "u256", "255")));
        fixture.ask(ApprovalFixture.transaction("demo", 1_500_000_000_000_000L, call));
        String cookie = signIn();
        assertThat(text(get("request", cookie, Map.of("id", fixture.only().id()))))
                .contains(
                        "demo",
                        "sendTransaction",
                        "l2test, chain SN_SEPOLIA",
                        "transfer",
                        "recipient (address)",
                        "amount (u256)")
                .contains(ApprovalFixture.TOKEN.toPaddedHex(), ApprovalFixture.ACCOUNT.toPaddedHex(), "0x7, 0xff")
                .contains("0.0015 STRK (1500000000000000 FRI)");
    }

    @Test
    void aKeyIsShownOnceAndOnlyToWhoApproved() {
        byte[] key = new byte[32];
        key[0] = 1;
        key[31] = (byte) 0xab;
        byte[] given = key.clone();
        AtomicInteger opened = new AtomicInteger();
        CompletableFuture<Decision> asked = fixture.reveal(ApprovalFixture.key("demo"), () -> {
            opened.incrementAndGet();
            return given;
        });
        String cookie = signIn();
        String token = token(cookie);
        String id = fixture.only().id();
        String hex = "0x01" + "00".repeat(30) + "ab";
        assertThat(text(get("request", cookie, Map.of("id", id))))
                .contains("Once approved, the private key of this account is shown, once.")
                .doesNotContain(hex);
        assertThat(opened).as("before approval").hasValue(0);
        Response shown = decide(cookie, token, id, "approve");
        assertThat(shown.status()).isEqualTo(200);
        assertThat(text(shown)).contains(hex);
        assertThat(shown.headers()).containsEntry("Cache-Control", "no-store");
        assertThat(given).as("the key once it is shown").containsOnly(0);
        assertThat(asked).isCompletedWithValue(Decision.APPROVED);
        Response again = decide(cookie, token, id, "approve");
        assertThat(again.status()).isEqualTo(409);
        assertThat(text(again)).doesNotContain(hex);
        assertThat(opened).hasValue(1);
    }

    @Test
    void aRefusedKeyIsNeverOpened() {
        AtomicInteger opened = new AtomicInteger();
        CompletableFuture<Decision> asked =
                fixture.reveal(ApprovalFixture.key("demo"), () -> new byte[opened.incrementAndGet()]);
        String cookie = signIn();
        decide(cookie, token(cookie), fixture.only().id(), "refuse");
        assertThat(asked).isCompletedWithValue(Decision.REFUSED);
        assertThat(opened).hasValue(0);
    }

    @Test
    void aKeyThatCannotBeOpenedFailsTheCallAndTellsThePageNothing() {
        CompletableFuture<Decision> asked = fixture.reveal(ApprovalFixture.key("demo"), () -> {
            throw new IllegalStateException("a detail");
        });
        String cookie = signIn();
        Response response = decide(cookie, token(cookie), fixture.only().id(), "approve");
        assertThat(response.status()).isEqualTo(500);
        assertThat(text(response)).doesNotContain("a detail");
        assertThat(asked).isCompletedExceptionally();
    }

    @Test
    void everyAnswerTellsTheBrowserWhatItMustNotDo() {
        String cookie = signIn();
        fixture.ask(transfer("demo", 1));
        for (Response response : List.of(
                get("", "", Map.of()),
                get("", cookie, Map.of()),
                get("request", cookie, Map.of("id", fixture.only().id())),
                get("nowhere", cookie, Map.of()),
                get("style.css", "", Map.of()),
                post("sign-in", "", Map.of("credential", "wrong")),
                post("sign-in", "", Map.of("credential", CREDENTIAL)),
                new PageClient(page).post("decision", Map.of(), Map.of()))) {
            boolean isList = text(response).contains(LIST_SCRIPT);
            assertThat(response.headers())
                    .containsEntry(
                            "Content-Security-Policy",
                            "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none';"
                                    + " frame-ancestors 'none'"
                                    + (isList ? "; script-src 'self'; connect-src 'self'" : ""))
                    .containsEntry("Cache-Control", "no-store")
                    .containsEntry("X-Frame-Options", "DENY")
                    .containsEntry("X-Content-Type-Options", "nosniff");
            assertThat(text(response).replace(LIST_SCRIPT, ""))
                    .doesNotContain("<script")
                    .doesNotContain(" style=")
                    .doesNotContain("//");
        }
    }

    @Test
    void theListWarnsOfAKeyAndSaysThatAnAccountIsDeployed() {
        fixture.reveal(ApprovalFixture.key("demo"), () -> new byte[32]);
        fixture.ask(ApprovalFixture.transaction(
                "demo", 1, ApprovalFixture.call(ApprovalFixture.ACCOUNT, Content.CONSTRUCTOR)));
        String cookie = signIn();
        assertThat(text(get("", cookie, Map.of())))
                .contains("<div class=\"danger\">Once approved, the private key of this account is shown, once.")
                .contains("<div>deploys the account</div>");
        assertThat(text(get(
                        "request",
                        cookie,
                        Map.of("id", fixture.queue().parked().get(1).id()))))
                .contains("Deploys the account itself, with the key of this wallet.");
    }

    @Test
    void aTransferIsMarkedAsEqualAlsoIfTheFirstOneDeployedTheAccount() {
        RequestedCall transfer = ApprovalFixture.call(ApprovalFixture.TOKEN, "transfer");
        fixture.ask(ApprovalFixture.transaction(
                "demo", 1, ApprovalFixture.call(ApprovalFixture.ACCOUNT, Content.CONSTRUCTOR), transfer));
        fixture.queue().claim(fixture.only().id(), "alice").approve();
        fixture.ask(ApprovalFixture.transaction("demo", 1, transfer));
        assertThat(text(get("", signIn(), Map.of()))).contains("An equal request was approved");
    }

    @Test
    void theListAloneHasAScript() {
        String cookie = signIn();
        fixture.ask(transfer("demo", 1));
        assertThat(text(get("", cookie, Map.of())))
                .contains(LIST_SCRIPT)
                .contains("<noscript><meta http-equiv=\"refresh\" content=\"5\">");
        assertThat(text(get("request", cookie, Map.of("id", fixture.only().id()))))
                .doesNotContain("<script");
        assertThat(get("list.js", "", Map.of()).contentType()).isEqualTo("text/javascript; charset=utf-8");
    }

    @Test
    void theStatusPageLinksHereWithTheNumberOfRequestsThatWait() {
        assertThat(page.link()).isEqualTo("Approvals");
        fixture.ask(transfer("demo", 1));
        assertThat(page.link()).isEqualTo("Approvals: 1 waits");
        fixture.ask(transfer("demo", 2));
        assertThat(page.link()).isEqualTo("Approvals: 2 wait");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "credential", "credential=%zz", "a=1&a=2", "a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9"})
    void whatIsNoFormIsRefused(String body) {
        assertThat(statusOf("application/x-www-form-urlencoded", body)).isEqualTo(400);
        assertThat(statusOf("text/plain", "a=b")).isEqualTo(400);
        assertThat(statusOf("application/x-www-form-urlencoded", "a=" + "b".repeat(9000)))
                .isEqualTo(400);
    }

    private int statusOf(String type, String body) {
        return new PageClient(page)
                .post("sign-in", Map.of("content-type", type), body)
                .status();
    }

    @Test
    void withoutAnApproverThePageSaysSo() {
        use("approver-sha256 = \"\"");
        Response response = get("", "", Map.of());
        assertThat(response.status()).isEqualTo(503);
        assertThat(text(response)).contains("plugins.wallet.approver-sha256");
        assertThat(post("sign-in", "", Map.of("credential", "")).status()).isEqualTo(503);
    }

    @Test
    void equalRequestsAndCallersThatAreGoneAreMarked() {
        String cookie = signIn();
        fixture.ask(transfer("demo", 1));
        assertThat(text(get("", cookie, Map.of()))).doesNotContain("Equal to", "has gone");
        fixture.ask(transfer("demo", 2));
        fixture.queue()
                .ask(
                        TestRequests.of("abandoned", "pay-1", 0),
                        transfer("other", 1),
                        fixture.queue().timeout());

        assertThat(text(get("", cookie, Map.of())))
                .contains("Equal to 1 other waiting request.", "The caller has gone.");
        assertThat(text(get("request", cookie, Map.of("id", "abandoned"))))
                .contains("The caller has gone.", "pay-1")
                .doesNotContain("Equal to");
        String first = fixture.queue().parked().get(0).id();
        decide(cookie, token(cookie), first, "approve");
        assertThat(text(get("", cookie, Map.of())))
                .contains("An equal request was approved")
                .doesNotContain("Equal to 1");
    }
}
