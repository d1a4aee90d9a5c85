package io.weir.wallet.page;

import static io.weir.wallet.approval.ApprovalFixture.CREDENTIAL;
import static io.weir.wallet.approval.ApprovalFixture.transfer;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.Content.Argument;
import io.weir.wallet.approval.Content.RequestedCall;
import io.weir.wallet.approval.Decision;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, served by a small server that can do to it what the proxy never would. */
final class PageInBrowserIT {

    private static final String EVIL = "<script>document.title='owned'</script>";

    @TempDir
    private static Path folder;

    private static ApprovalFixture fixture;
    private static PageServer server;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        Browser.require();
        fixture = ApprovalFixture.of(folder, "");
        server = new PageServer(new ApprovalsPage(
                "wallet",
                fixture.queue(),
                fixture.settings(),
                Clock.systemUTC(),
                System::nanoTime,
                new SecureRandom()));
        browser = Browser.start(server.url());
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
            fixture.close();
        }
    }

    @AfterEach
    void decideOnTheRest() {
        server.spoil(text -> text);
        fixture.queue()
                .parked()
                .forEach(one -> fixture.queue().claim(one.id(), "alice").refuse());
        browser.forgetCookies();
    }

    private static Decision soon(CompletableFuture<Decision> stage) throws Exception {
        return stage.get(60, TimeUnit.SECONDS);
    }

    @Test
    void aPersonApprovesOneAndRefusesTheOther() throws Exception {
        CompletableFuture<Decision> first = fixture.ask(transfer("demo", 1));
        CompletableFuture<Decision> second = fixture.ask(transfer("other", 2));
        browser.signIn(CREDENTIAL);
        assertThat(browser.text()).contains("demo").contains("other");
        browser.lookAtFirst().click("#approve");
        assertThat(soon(first)).isEqualTo(Decision.APPROVED);
        assertThat(second).isNotDone();
        browser.lookAtFirst().click("#refuse");
        assertThat(soon(second)).isEqualTo(Decision.REFUSED);
        assertThat(browser.has("#nothing")).isTrue();
    }

    @Test
    void theFocusStaysWhereItIsWhenTheListIsLoadedAgain() {
        fixture.ask(transfer("demo", 1));
        fixture.ask(transfer("demo", 2));
        browser.signIn(CREDENTIAL);
        String second = "look-" + fixture.queue().parked().get(1).id();
        browser.tab();
        browser.tab();
        assertThat(browser.focused()).isEqualTo(second);
        fixture.ask(transfer("late", 3));
        browser.awaitText("late");
        assertThat(browser.focused()).isEqualTo(second);
        assertThat(browser.title()).isEqualTo("(3) Approvals");
    }

    @Test
    void aWrongCredentialShowsNothing() {
        fixture.ask(transfer("secretive", 1));
        browser.signIn("wrong");
        assertThat(browser.text()).contains("That is no approver's credential.").doesNotContain("secretive");
    }

    @Test
    void noScriptReadsTheCookie() {
        browser.signIn(CREDENTIAL);
        assertThat(browser.text()).contains("Nothing waits");
        assertThat(browser.cookiesForScripts()).isEmpty();
    }

    @Test
    void theStyleIsThePagesOwnAndNothingIsAskedForElsewhere() {
        fixture.ask(transfer("demo", 1));
        browser.signIn(CREDENTIAL).lookAtFirst();
        assertThat(browser.style("#approve", "background-color"))
                .as("the style sheet is allowed")
                .contains("24, 106, 59");
        browser.click("#refuse");
        assertThat(browser.askedFor()).allMatch(address -> address.startsWith(server.origin() + "/"));
    }

    @Test
    void aScriptInANameIsText() {
        RequestedCall call = new RequestedCall(Felt.ONE, EVIL, List.of(), List.of(new Argument(EVIL, "felt", EVIL)));
        fixture.ask(ApprovalFixture.transaction(EVIL, 1, call));
        browser.signIn(CREDENTIAL);
        assertThat(browser.text()).contains(EVIL);
        browser.lookAtFirst();
        assertThat(browser.text("#facts")).contains(EVIL);
        assertThat(browser.text(".call")).contains(EVIL);
        assertThat(browser.title()).isEqualTo("Approve sendTransaction?");
        assertThat(browser.complaints())
                .as("nothing was even tried")
                .noneMatch(line -> line.contains("Content Security Policy"));
    }

    @Test
    void aScriptThatGotInIsNotRun() {
        browser.signIn(CREDENTIAL);
        browser.complaints();
        browser.askedFor();
        String elsewhere = "http://127.0.0.2:9/stolen";
        server.spoil(text -> text.replace(
                "</main>",
                EVIL + "<p id=\"late\" onclick=\"document.title='owned'\">x</p><img src=\"" + elsewhere
                        + ".png\"><script src=\"" + elsewhere + ".js\"></script><style>h1{color:red}</style></main>"));
        browser.open();
        assertThat(browser.has("#late")).as("the markup got in").isTrue();
        assertThat(browser.title()).isEqualTo("Approvals");
        browser.awaitComplaints("inline script", "stolen.js", "inline style");
        assertThat(browser.style("h1", "color")).doesNotContain("255, 0, 0");
    }

    @Test
    void aFormThatWouldGoElsewhereStays() {
        fixture.ask(transfer("demo", 1));
        browser.signIn(CREDENTIAL);
        server.spoil(text -> text.replaceAll("action=\"[^\"]+/decision\"", "action=\"http://127.0.0.2:9/stolen\""));
        browser.lookAtFirst();
        browser.complaints();
        browser.clickInVain("#approve");
        browser.awaitComplaints("form-action");
        assertThat(browser.title()).isEqualTo("Approve sendTransaction?");
    }

    @Test
    void aKeyIsShownOnceAlsoWhereThePersonGoesBack() throws Exception {
        byte[] key = new byte[32];
        key[31] = 0x5e;
        String hex = "0x" + "00".repeat(31) + "5e";
        CompletableFuture<Decision> asked = fixture.reveal(ApprovalFixture.key("demo"), key::clone);
        browser.signIn(CREDENTIAL).lookAtFirst().click("#approve");
        assertThat(browser.text("#key")).isEqualTo(hex);
        assertThat(soon(asked)).isEqualTo(Decision.APPROVED);
        browser.click("main a");
        assertThat(browser.text()).doesNotContain(hex);
        browser.back();
        assertThat(browser.text()).doesNotContain(hex);
    }

    @Test
    void anotherSitesPageCannotFrameThisOne() {
        browser.signIn(CREDENTIAL);
        browser.askedFor();
        assertThat(browser.textInFrame(server.url()))
                .doesNotContain("credential")
                .doesNotContain("Approvals");
        assertThat(browser.askedFor()).as("the frame was tried").contains(server.url());
    }
}
