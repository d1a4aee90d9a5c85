package io.weir.wallet.approval;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static io.weir.wallet.approval.ApprovalFixture.message;
import static io.weir.wallet.approval.ApprovalFixture.transfer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import io.weir.wallet.testing.HandScheduler;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The address that the operator has called when a request waits. */
class WebhookIT {

    @RegisterExtension
    static final WireMockExtension CHAT = WireMockExtension.newInstance()
            .options(WireMockConfiguration.options().dynamicPort().bindAddress("127.0.0.1"))
            .build();

    /** One of each test, because a late call of another test may still arrive. */
    private final String path = "/hooks/" + UUID.randomUUID();

    @TempDir
    private Path folder;

    private ApprovalFixture fixture(String more) {
        return ApprovalFixture.of(
                folder, "approval.webhook = \"http://127.0.0.1:" + CHAT.getPort() + path + "\"\n" + more);
    }

    private void answer(int status, int millis) {
        CHAT.stubFor(
                post(urlEqualTo(path)).willReturn(aResponse().withStatus(status).withFixedDelay(millis)));
    }

    private List<LoggedRequest> calls() {
        return CHAT.findAll(postRequestedFor(urlEqualTo(path)));
    }

    @Test
    void aRequestThatWaitsIsToldByItsIdAndKindAndNothingElse() {
        answer(200, 0);
        try (ApprovalFixture fixture = fixture("")) {
            fixture.ask(message("demo", "{\"primaryType\":\"Rent\",\"domain\":{\"name\":\"landlord\"}}"));
            await().until(() -> calls().size() == 1);
            JsonNode told = JsonMapper.shared().readTree(calls().get(0).getBodyAsString());
            assertThat(told.propertyNames()).containsExactly("text", "id", "kind", "waiting");
            assertThat(told.path("id").stringValue()).isEqualTo(fixture.only().id());
            assertThat(told.path("kind").stringValue()).isEqualTo("message");
            assertThat(told.path("waiting").intValue()).isEqualTo(1);
            assertThat(calls().get(0).getBodyAsString()).doesNotContain("demo", "Rent", "landlord");
        }
    }

    @Test
    void whatAPolicyDecidesIsNotTold() {
        answer(200, 0);
        try (ApprovalFixture fixture = fixture("approval.tenants.robot.policy = deny")) {
            assertThat(fixture.ask(transfer("robot", 1))).isCompletedWithValue(Decision.FORBIDDEN);
            fixture.ask(transfer("demo", 1));
            await().until(() -> !calls().isEmpty());
            assertThat(calls()).hasSize(1);
        }
    }

    @Test
    void aFailedCallIsMadeAgainWhileTheRequestWaits() {
        answer(500, 0);
        HandScheduler scheduler = new HandScheduler();
        AtomicBoolean waits = new AtomicBoolean(true);
        URI address = URI.create("http://127.0.0.1:" + CHAT.getPort() + path);
        new Webhook(address, scheduler.asService()).tell("7", "key", 1, waits::get);
        for (int calls = 1; calls < 3; calls++) {
            int made = calls;
            await().until(() -> calls().size() == made && scheduler.waits());
            scheduler.elapse();
        }
        await().until(() -> calls().size() == 3);
        new Webhook(address, scheduler.asService()).tell("8", "key", 1, waits::get);
        await().until(() -> calls().size() == 4 && scheduler.waits());
        waits.set(false);
        scheduler.elapse();
        assertThat(scheduler.waits()).isFalse();
        assertThat(calls()).as("nobody is called for a request that has ended").hasSize(4);
    }

    @Test
    void aSlowOrFailingAddressHoldsNothingUp() {
        answer(500, 2_000);
        try (ApprovalFixture fixture = fixture("")) {
            CompletableFuture<Decision> asked = fixture.ask(transfer("demo", 1));
            fixture.queue().claim(fixture.only().id(), "alice").approve();
            assertThat(asked).isCompletedWithValue(Decision.APPROVED);
        }
    }
}
