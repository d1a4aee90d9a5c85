package io.weir.wallet.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.AdminPage.Response;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.audit.AuditLog;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page over an audit log that cannot be written. */
class UnwrittenApprovalTest {
    @TempDir
    private Path folder;

    private ApprovalFixture fixture;
    private ApprovalsPage page;

    @BeforeEach
    void open() {
        AuditLog closed = AuditLog.of(folder.resolve("audit.jsonl"), Runnable::run, Clock.systemUTC());
        closed.close();
        fixture = ApprovalFixture.logging(folder, "", closed);
        page = new ApprovalsPage(
                "wallet", fixture.queue(), fixture.settings(), Clock.systemUTC(), System::nanoTime, new SecureRandom());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Signs in and approves the one request that waits. */
    private Response approve() {
        PageClient client = new PageClient(page);
        String cookie = client.signedIn(ApprovalFixture.CREDENTIAL);
        return client.decide(cookie, client.token(cookie), fixture.only().id(), "approve");
    }

    private static void assertSaysSo(Response response, CompletableFuture<Decision> asked) {
        assertThat(response.status()).isEqualTo(500);
        assertThat(PageClient.text(response))
                .contains("Not approved", "audit log: cannot be written, nothing is signed");
        assertThat(asked).isCompletedExceptionally();
    }

    @Test
    void anApprovalThatCannotBeNotedIsShownAsAFailure() {
        CompletableFuture<Decision> asked = fixture.ask(ApprovalFixture.transfer("demo", 1));
        assertSaysSo(approve(), asked);
    }

    @Test
    void aKeyWhoseApprovalCannotBeNotedIsNotOpened() {
        CompletableFuture<Decision> asked = fixture.reveal(ApprovalFixture.key("demo"), () -> {
            throw new AssertionError("opened");
        });
        assertSaysSo(approve(), asked);
    }
}
