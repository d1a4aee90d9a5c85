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
import io.weir.wallet.testing.TestRequests;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
            fixture.ask(message("demo", "{}"));
            await().until(() -> !calls().isEmpty());
            assertThat(calls())
                    .singleElement()
                    .extracting(LoggedRequest::getBodyAsString)
                    .asString()
                    .contains("\"kind\":\"message\"");
        }
    }

    @Test
    void aFailedCallIsMadeAgainWhileTheRequestWaits() {
        answer(500, 0);
        HandScheduler scheduler = new HandScheduler();
        WaitingRequests waiting = new WaitingRequests();
        webhook(waiting, scheduler).tell(parked(waiting, "7"));
        for (int calls = 1; calls <= 3; calls++) {
            int made = calls;
            scheduler.elapse();
            await().until(() -> calls().size() == made && scheduler.waits() == made < 3);
        }
    }

    @Test
    void nobodyIsCalledForARequestThatHasEndedOrJoinedAnother() {
        answer(200, 0);
        HandScheduler scheduler = new HandScheduler();
        WaitingRequests waiting = new WaitingRequests();
        Webhook webhook = webhook(waiting, scheduler);
        webhook.tell(parked(waiting, "7"));
        waiting.take("7");
        webhook.tell(parked(waiting, "8"));
        scheduler.elapseAll();
        await().until(() -> !calls().isEmpty());
        assertThat(calls())
                .singleElement()
                .extracting(LoggedRequest::getBodyAsString)
                .asString()
                .contains("\"id\":\"8\"");
    }

    private Webhook webhook(WaitingRequests waiting, HandScheduler scheduler) {
        URI address = URI.create("http://127.0.0.1:" + CHAT.getPort() + path);
        return new Webhook(address, waiting, scheduler.asService());
    }

    private static Request parked(WaitingRequests waiting, String id) {
        Request one = TestRequests.of(id, null, 1);
        one.setContent(transfer("demo", 1));
        one.beginWaiting(null, Instant.now(), Duration.ofMinutes(2), 1, "");
        waiting.add(one);
        return one;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://my_host:9000/secret",
                "http://h:port/secret",
                "https://hooks.example:443secret/T",
                "https://hooks.example:99999/secret",
                "https://hooks.example/secret%zz",
                "http://[x/secret",
                "ftp://hooks.example/secret",
                "https://user:secret@hooks.example/",
                "secret"
            })
    void anAddressThatCannotBeCalledIsAMistakeAndNotShown(String address) {
        List<String> problems = new ArrayList<>();
        ApprovalFixture.read("approval.webhook = \"" + address + "\"", problems);
        assertThat(problems)
                .containsExactly("approval.webhook: (hidden) (expected: http:// or https:// with a host, and no user)");
    }
}
