package io.weir.wallet.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.api.AdminPage.Request;
import io.weir.api.AdminPage.Response;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.Decision;
import io.weir.wallet.audit.AuditLog;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
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

    private Response post(String subPath, String cookie, Map<String, String> fields) {
        String body = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
        Map<String, String> headers = Map.of("cookie", cookie, "content-type", "application/x-www-form-urlencoded");
        return page.handle(new Request("POST", subPath, Map.of(), headers, body.getBytes(UTF_8)))
                .toCompletableFuture()
                .join();
    }

    /** Signs in and approves the one request that waits. */
    private Response approve() {
        String cookie = post("sign-in", "", Map.of("credential", ApprovalFixture.CREDENTIAL))
                .headers()
                .get("Set-Cookie")
                .split(";")[0];
        Request list = new Request("GET", "", Map.of(), Map.of("cookie", cookie), new byte[0]);
        String shown = new String(page.handle(list).toCompletableFuture().join().body(), UTF_8);
        String token = shown.replaceAll("(?s).*?name=\"token\" value=\"([^\"]+)\".*", "$1");
        return post(
                "decision", cookie, Map.of("token", token, "id", fixture.only().id(), "decision", "approve"));
    }

    private static void assertSaysSo(Response response, CompletableFuture<Decision> asked) {
        assertThat(response.status()).isEqualTo(500);
        assertThat(new String(response.body(), UTF_8))
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
