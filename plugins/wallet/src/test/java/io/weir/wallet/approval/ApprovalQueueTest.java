package io.weir.wallet.approval;

import static io.weir.wallet.approval.ApprovalFixture.transfer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.RpcException;
import io.weir.wallet.testing.TestRequests;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ApprovalQueueTest {

    @TempDir
    private Path folder;

    private static Decision soon(CompletableFuture<Decision> stage) throws Exception {
        return stage.get(60, TimeUnit.SECONDS);
    }

    @Test
    void whatWaitsIsDecidedOnce() throws Exception {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, "")) {
            CompletableFuture<Decision> asked = fixture.ask(transfer("demo", 1));
            Request waiting = fixture.only();
            assertThat(asked).isNotDone();
            ApprovalQueue.Claim claim = fixture.queue().claim(waiting.id(), "alice");
            assertThat(claim).isNotNull();
            assertThat(fixture.queue().claim(waiting.id(), "alice"))
                    .as("a second decision")
                    .isNull();
            assertThat(fixture.queue().find(waiting.id())).isNull();
            assertThat(asked).as("claimed, not decided").isNotDone();
            claim.approve();
            assertThat(soon(asked)).isEqualTo(Decision.APPROVED);
            assertThat(fixture.count("approvals_approved")).isEqualTo(1);
        }
    }

    @Test
    void aRefusalIsOne() throws Exception {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, "")) {
            CompletableFuture<Decision> asked = fixture.ask(transfer("demo", 1));
            fixture.queue().claim(fixture.only().id(), "alice").refuse();
            assertThat(soon(asked)).isEqualTo(Decision.REFUSED);
            assertThat(fixture.count("approvals_refused")).isEqualTo(1);
        }
    }

    @Test
    void ofManyWhoDecideAtOnceOneDoes() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, "")) {
            for (int round = 0; round < 200; round++) {
                CompletableFuture<Decision> asked = fixture.ask(transfer("demo", 1));
                String id = fixture.only().id();
                Callable<Boolean> decide = () -> {
                    ApprovalQueue.Claim claim = fixture.queue().claim(id, "alice");
                    if (claim != null) {
                        claim.refuse();
                    }
                    return claim != null;
                };
                int decided = 0;
                for (Future<Boolean> one : threads.invokeAll(List.of(decide, decide, decide, decide))) {
                    decided += one.get() ? 1 : 0;
                }
                assertThat(decided).isEqualTo(1);
                assertThat(asked).isCompletedWithValue(Decision.REFUSED);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void whereNobodyDecidesTheTimeDoes() throws Exception {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, "approval.timeout = 1 s")) {
            CountDownLatch seen = new CountDownLatch(1);
            fixture.holdTimer(seen);
            CompletableFuture<Decision> asked = fixture.ask(transfer("demo", 1));
            String id = fixture.only().id();
            seen.countDown();
            assertThat(soon(asked)).isEqualTo(Decision.TIMED_OUT);
            assertThat(fixture.queue().claim(id, "alice")).as("after its time").isNull();
            assertThat(fixture.count("approvals_timed_out")).isEqualTo(1);
        }
    }

    @Test
    void aCallerWithLittleTimeIsGivenNoMore() throws Exception {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, "")) {
            Duration little = Duration.ofMillis(20);
            assertThat(soon(fixture.queue()
                            .ask(TestRequests.one(), transfer("demo", 1), little)
                            .toCompletableFuture()))
                    .isEqualTo(Decision.TIMED_OUT);
            assertThat(soon(fixture.queue()
                            .ask(TestRequests.one(), transfer("demo", 1), Duration.ZERO)
                            .toCompletableFuture()))
                    .isEqualTo(Decision.TIMED_OUT);
            assertThat(fixture.queue().parked()).isEmpty();
        }
    }

    @Test
    void aTenantCannotTakeThePlacesOfOthers() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, "")) {
            List<CompletableFuture<Decision>> waiting = new ArrayList<>();
            askTenTimes(fixture, "one", waiting);
            assertCrowdedOut(
                    fixture.ask(transfer("one", 1)),
                    "approval: too many requests of this key wait (expected: at most 10)");
            assertCrowdedOut(
                    fixture.reveal(ApprovalFixture.key("one"), () -> new byte[32]),
                    "approval: too many requests of this key wait (expected: at most 10)");
            for (int tenant = 2; tenant <= 10; tenant++) {
                askTenTimes(fixture, "tenant" + tenant, waiting);
            }
            assertCrowdedOut(
                    fixture.ask(transfer("last", 1)), "approval: too many requests wait (expected: at most 100)");
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            assertThat(fixture.count("approvals_crowded_out")).isEqualTo(3);
            fixture.queue().claim(fixture.queue().parked().get(0).id(), "alice").refuse();
            assertThat(fixture.ask(transfer("last", 1)))
                    .as("a place that was left")
                    .isNotDone();
        }
    }

    private static void askTenTimes(ApprovalFixture fixture, String tenant, List<CompletableFuture<Decision>> waiting) {
        for (int i = 0; i < 10; i++) {
            waiting.add(fixture.ask(transfer(tenant, 1)));
        }
    }

    private static void assertCrowdedOut(CompletableFuture<Decision> asked, String message) {
        assertThatThrownBy(asked::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.code()).isEqualTo(-32005))
                .hasMessage(message);
    }

    @Test
    void everyEndOfARequestGivesItsPlaceBack() throws Exception {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, "approval.timeout = 1 s")) {
            CountDownLatch decided = new CountDownLatch(1);
            fixture.holdTimer(decided);
            for (int round = 0; round <= WaitingRequests.MAX_PER_TENANT; round++) {
                CompletableFuture<Decision> approved = fixture.ask(transfer("demo", 1));
                fixture.queue().claim(fixture.only().id(), "alice").approve();
                assertThat(soon(approved)).isEqualTo(Decision.APPROVED);
                CompletableFuture<Decision> failed = fixture.reveal(ApprovalFixture.key("demo"), () -> new byte[32]);
                fixture.queue().claim(fixture.only().id(), "alice").fail();
                assertThat(failed).isCompletedExceptionally();
            }
            decided.countDown();
            List<CompletableFuture<Decision>> late = new ArrayList<>();
            askTenTimes(fixture, "demo", late);
            for (CompletableFuture<Decision> one : late) {
                assertThat(soon(one)).isEqualTo(Decision.TIMED_OUT);
            }
            assertThat(fixture.ask(transfer("demo", 1)))
                    .as("a place after a timeout")
                    .isNotDone();
        }
    }

    @Test
    void whatNobodyCouldReadIsRefusedAndNotCut() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, "")) {
            String text = "x".repeat(65_537);
            assertThatThrownBy(fixture.ask(ApprovalFixture.message("demo", "{\"a\":\"" + text + "\"}"))::join)
                    .cause()
                    .isInstanceOfSatisfying(
                            RpcException.class, e -> assertThat(e.code()).isEqualTo(-32602))
                    .hasMessageContaining("(expected: at most 65536)");
            assertThat(fixture.queue().parked()).isEmpty();
        }
    }

    @Test
    void aDrainRefusesWhatWaitsAndWhatComes() throws Exception {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, "")) {
            CompletableFuture<Decision> asked = fixture.ask(transfer("demo", 1));
            CompletableFuture<Decision> key = fixture.reveal(ApprovalFixture.key("demo"), () -> new byte[32]);
            fixture.queue().drain();
            assertThat(soon(asked)).isEqualTo(Decision.STOPPED);
            assertThat(soon(key)).isEqualTo(Decision.STOPPED);
            assertThat(soon(fixture.ask(transfer("demo", 1)))).isEqualTo(Decision.STOPPED);
            assertThat(fixture.queue().parked()).isEmpty();
            assertThat(fixture.count("approvals_stopped")).isEqualTo(3);
        }
    }

    @Test
    void withoutAnApproverNobodyIsKeptWaiting() throws Exception {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, "approver-sha256 = \"\"")) {
            assertThat(soon(fixture.ask(transfer("demo", 1)))).isEqualTo(Decision.FORBIDDEN);
            assertThat(soon(fixture.reveal(ApprovalFixture.key("demo"), () -> new byte[32])))
                    .isEqualTo(Decision.FORBIDDEN);
        }
    }

    @Test
    void whatIsWithdrawnWaitsNoMoreAndWhatWasDecidedOnCannotBeWithdrawn() throws Exception {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, "")) {
            CompletableFuture<Decision> asked = fixture.ask(transfer("demo", 1));
            String id = fixture.only().id();
            assertThat(fixture.queue().withdraw(id)).isTrue();
            assertThat(soon(asked)).isEqualTo(Decision.WITHDRAWN);
            assertThat(fixture.queue().claim(id, "alice")).isNull();
            assertThat(fixture.queue().withdraw(id)).isFalse();
            assertThat(fixture.count("approvals_withdrawn")).isEqualTo(1);
        }
    }

    @Test
    void anEqualRequestThatWasApprovedLatelyIsRememberedWhateverItsFee() {
        try (ApprovalFixture fixture = ApprovalFixture.of(folder, "")) {
            fixture.ask(transfer("demo", 1));
            assertThat(fixture.queue().approvedBefore(transfer("demo", 2).hash()))
                    .isNull();
            fixture.queue().claim(fixture.only().id(), "alice").approve();
            assertThat(fixture.queue().approvedBefore(transfer("demo", 2).hash()))
                    .isNotNull();
            assertThat(fixture.queue().approvedBefore(transfer("other", 1).hash()))
                    .isNull();
        }
    }
}
