package io.weir.wallet.page;

import static io.weir.wallet.approval.ApprovalFixture.CREDENTIAL;
import static io.weir.wallet.page.PageClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.AdminPage.Response;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.audit.AuditLog;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several persons who sign in, and addresses that guess. */
class SignInTest {

    private static final String ALICE = "alice's own";
    private static final String BOB = "bob's own";

    @TempDir
    private Path folder;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private AuditLog audit;
    private ApprovalFixture fixture;
    private ApprovalsPage page;
    private PageClient here;

    @BeforeEach
    void open() {
        audit = AuditLog.of(folder.resolve("audit.jsonl"), Runnable::run, Clock.systemUTC());
        audit.start();
        use("");
    }

    private void use(String settings) {
        fixture = ApprovalFixture.logging(
                folder,
                settings
                        + "\napprovers { alice.sha256 = %s, bob.sha256 = %s }"
                                .formatted(ApprovalFixture.sha256(ALICE), ApprovalFixture.sha256(BOB)),
                audit);
        page = new ApprovalsPage(
                "wallet", fixture.queue(), fixture.settings(), Clock.systemUTC(), nanos::get, new SecureRandom());
        here = new PageClient(page);
    }

    @AfterEach
    void close() {
        fixture.close();
        audit.close();
    }

    private void decide(String credential, String decision) {
        String cookie = here.signedIn(credential);
        here.decide(cookie, here.token(cookie), fixture.only().id(), decision);
    }

    @Test
    void thePageShowsWhoIsSignedIn() {
        for (Map.Entry<String, String> one :
                Map.of(ALICE, "alice", BOB, "bob", CREDENTIAL, "approver").entrySet()) {
            String cookie = here.signedIn(one.getKey());
            assertThat(text(here.get("", cookie, Map.of()))).contains("Signed in as " + one.getValue() + ".");
        }
    }

    @Test
    void theAuditLogNamesThePerson() throws Exception {
        CompletableFuture<Decision> first = fixture.ask(ApprovalFixture.transfer("demo", 1));
        decide(ALICE, "approve");
        assertThat(first.join()).isEqualTo(Decision.APPROVED);
        CompletableFuture<Decision> second = fixture.ask(ApprovalFixture.transfer("demo", 2));
        decide(BOB, "refuse");
        assertThat(second.join()).isEqualTo(Decision.REFUSED);
        assertThat(Files.readAllLines(folder.resolve("audit.jsonl")))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("\"decision\":\"approved\"", "\"by\":\"approver\"", "\"approver\":\"alice\""),
                        line -> assertThat(line)
                                .contains("\"decision\":\"refused\"", "\"by\":\"approver\"", "\"approver\":\"bob\""));
    }

    @Test
    void aRequestThatTwoMustApproveShowsWhoHasAndTakesNoSecondOneOfTheSame() {
        fixture.close();
        use("approval.tenants.demo.rules = [{ approvals = 2 }]");
        CompletableFuture<Decision> asked = fixture.ask(ApprovalFixture.transfer("demo", 1));
        decide(ALICE, "approve");
        String id = fixture.only().id();
        String cookie = here.signedIn(ALICE);
        assertThat(text(here.get("", cookie, Map.of()))).contains("Approved by 1 of 2, alice.");
        assertThat(text(here.get("request", cookie, Map.of("id", id)))).contains("Approved by 1 of 2, alice.");
        Response again = here.decide(cookie, here.token(cookie), id, "approve");
        assertThat(again.status()).isEqualTo(409);
        assertThat(text(again)).contains("Another person must approve it too.");
        assertThat(asked).isNotDone();
        decide(BOB, "approve");
        assertThat(asked.join()).isEqualTo(Decision.APPROVED);
    }

    @Test
    void wrongCredentialsSlowDownTheirAddressAlone() throws UnknownHostException {
        PageClient guesser = new PageClient(page, InetAddress.getByName("192.0.2.1"));
        for (int i = 0; i < 3; i++) {
            assertThat(guesser.signIn("wrong " + i).status()).isEqualTo(403);
        }
        for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            Response late = guesser.signIn(ALICE);
            assertThat(late.status()).as("also the right one").isEqualTo(429);
            assertThat(late.headers())
                    .containsEntry("Retry-After", String.valueOf(seconds))
                    .doesNotContainKey("Set-Cookie");
            assertThat(here.signIn(ALICE).status()).as("from another address").isEqualTo(303);
            nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
            assertThat(guesser.signIn("wrong").status()).isEqualTo(403);
        }
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(guesser.signIn(ALICE).status()).isEqualTo(303);
        assertThat(guesser.signIn("wrong").status()).isEqualTo(403);
        assertThat(guesser.signIn(ALICE).status())
                .as("nothing is held against who signed in")
                .isEqualTo(303);
    }

    @Test
    void theAddressesOfOneNetworkOfVersionSixCountAsOne() throws UnknownHostException {
        for (int i = 0; i < 3; i++) {
            new PageClient(page, InetAddress.getByName("2001:db8::" + i)).signIn("wrong");
        }
        assertThat(new PageClient(page, InetAddress.getByName("2001:db8::ffff"))
                        .signIn(ALICE)
                        .status())
                .isEqualTo(429);
        assertThat(new PageClient(page, InetAddress.getByName("2001:db8:0:1::1"))
                        .signIn(ALICE)
                        .status())
                .isEqualTo(303);
    }

    @Test
    void noMoreThanAThousandAddressesAreRemembered() throws UnknownHostException {
        PageClient first = new PageClient(page, InetAddress.getByName("192.0.2.1"));
        for (int i = 0; i < 3; i++) {
            first.signIn("wrong");
        }
        for (int i = 0; i < 1_000; i++) {
            new PageClient(page, InetAddress.getByName("10.0." + i / 250 + "." + (i % 250 + 1))).signIn("wrong");
        }
        assertThat(first.signIn(ALICE).status()).isEqualTo(303);
    }
}
