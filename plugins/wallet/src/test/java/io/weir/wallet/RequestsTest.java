package io.weir.wallet;

import static io.weir.wallet.WalletFixture.felt;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.weir.api.RpcException;
import io.weir.wallet.approval.ApprovalFixture;
import io.weir.wallet.approval.ApprovalQueue.Claim;
import io.weir.wallet.approval.Request;
import io.weir.wallet.chain.Waiting;
import io.weir.wallet.testing.LedgerChain;
import io.weir.wallet.testing.ScriptedNode.Mishap;
import io.weir.wallet.testing.TestCall;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A request leads to one approval and one transaction, however often it is asked for. */
class RequestsTest {
    private static final String SEND = "l2Net_sendTransaction";

    @TempDir
    Path folder;

    private final LedgerChain chain = new LedgerChain();
    private ApprovalFixture approvals;
    private WalletFixture wallet;
    private String sender;

    @BeforeEach
    void start() {
        open();
        sender = wallet.deployedAccount(chain::addContract);
    }

    private void open() {
        approvals = ApprovalFixture.of(folder, "");
        wallet = WalletFixture.asking(folder, chain, approvals.queue());
    }

    @AfterEach
    void stop() {
        wallet.close();
        approvals.close();
    }

    private Map<String, Object> transfer(Map<String, Object> more) {
        Map<String, Object> params = new HashMap<>(WalletFixture.transferFrom(sender));
        params.putAll(more);
        return params;
    }

    private TestCall payment(Map<String, Object> more) {
        return wallet.callOf(SEND, transfer(more));
    }

    private Request parked() {
        await().atMost(60, SECONDS).until(() -> approvals.queue().parked().size() == 1);
        return approvals.only();
    }

    private void approve(Request one) {
        approvals.queue().claim(one.id(), "alice").approve();
    }

    private static String hash(CompletionStage<JsonNode> answer) {
        return Waiting.forResult(answer).path("transaction_hash").stringValue();
    }

    private static RpcException failure(CompletionStage<JsonNode> answer) {
        return catchThrowableOfType(RpcException.class, () -> Waiting.forResult(answer));
    }

    private JsonNode state(String id) {
        return wallet.call("l2Net_getRequest", Map.of("requestId", id));
    }

    @Test
    void aCallerWhoAsksAgainWhileTheFirstCallWaitsPaysOnce() {
        CompletionStage<JsonNode> first = wallet.handle(payment(Map.of()));
        Request waiting = parked();
        CompletionStage<JsonNode> second = wallet.handle(payment(Map.of()));
        await().atMost(60, SECONDS).until(() -> waiting.callers() == 2);
        approve(parked());

        assertThat(hash(second)).isEqualTo(hash(first));
        assertThat(approvals.queue().parked()).isEmpty();
        assertThat(chain.nonces(felt(sender))).containsExactly(0L);
    }

    @Test
    void theSameRequestInAnotherSpellingOfItsNumbersIsTheSame() {
        CompletionStage<JsonNode> first = wallet.handle(payment(Map.of("requestId", "one")));
        Request waiting = parked();
        String hex = (String) transfer(Map.of()).get("contractAddress");
        String decimal = new BigInteger(hex.substring(2), 16).toString();
        CompletionStage<JsonNode> second =
                wallet.handle(payment(Map.of("requestId", "one", "contractAddress", decimal)));
        await().atMost(60, SECONDS).until(() -> waiting.callers() == 2);
        Map<String, Object> other = Map.of("requestId", "one", "contractAddress", "0x5");
        assertThatThrownBy(() -> wallet.handle(payment(other))).hasMessageContaining("used for another request");
        approve(parked());

        assertThat(hash(second)).isEqualTo(hash(first));
    }

    @Test
    void aCallerWhoLeavesTakesTheRequestBack() {
        TestCall call = payment(Map.of());
        CompletionStage<JsonNode> answer = wallet.handle(call);
        Request waiting = parked();
        call.leave();

        assertThat(failure(answer).code()).isEqualTo(-32000);
        assertThat(approvals.queue().claim(waiting.id(), "alice"))
                .as("nobody can approve it any more")
                .isNull();
        CompletionStage<JsonNode> again = wallet.handle(payment(Map.of()));
        approve(parked());
        hash(again);
        assertThat(chain.nonces(felt(sender))).containsExactly(0L);
    }

    @Test
    void aRequestWaitsForAsLongAsOneOfItsCallersDoes() {
        TestCall first = payment(Map.of());
        wallet.handle(first);
        Request waiting = parked();
        CompletionStage<JsonNode> second = wallet.handle(payment(Map.of()));
        await().atMost(60, SECONDS).until(() -> waiting.callers() == 2);
        first.leave();
        approve(parked());
        hash(second);
        assertThat(chain.nonces(felt(sender))).containsExactly(0L);
    }

    @Test
    void aDetachedRequestWaitsOnAndTellsItsState() {
        TestCall call = payment(Map.of("requestId", "pay-7", "detached", true));
        CompletionStage<JsonNode> answer = wallet.handle(call);
        Request waiting = parked();
        assertThat(state("pay-7").path("state").stringValue()).isEqualTo("WAITING");
        assertThat(waiting.isAbandoned()).isFalse();
        call.leave();
        assertThat(parked().isAbandoned()).isTrue();
        approve(waiting);

        String hash = hash(answer);
        JsonNode state = state("pay-7");
        assertThat(state.path("state").stringValue()).isEqualTo("SUBMITTED");
        assertThat(state.path("transaction_hash").stringValue()).isEqualTo(hash);
        assertThat(state.path("result").path("transaction_hash").stringValue()).isEqualTo(hash);
        assertThat(hash(wallet.handle(payment(Map.of("requestId", "pay-7"))))).isEqualTo(hash);
        assertThat(approvals.queue().parked()).isEmpty();
    }

    @Test
    void aRequestIdBelongsToOneContent() {
        CompletionStage<JsonNode> answer = wallet.handle(payment(Map.of("requestId", "x")));
        parked();
        Map<String, Object> other = Map.of("requestId", "x", "contractCallData", "1,3,0");
        assertThat(failure(answerOf(other))).hasMessageContaining("requestId: used for another request");
        approve(parked());
        hash(answer);
        assertThat(failure(answerOf(other)).code()).isEqualTo(-32602);
        assertThat(chain.nonces(felt(sender))).containsExactly(0L);
    }

    /** Of a call whose handler may throw. */
    private CompletionStage<JsonNode> answerOf(Map<String, Object> more) {
        try {
            return wallet.handle(payment(more));
        } catch (RpcException e) {
            return java.util.concurrent.CompletableFuture.failedStage(e);
        }
    }

    @Test
    void twoIdsAreTwoRequests() {
        CompletionStage<JsonNode> first = wallet.handle(payment(Map.of("requestId", "a")));
        CompletionStage<JsonNode> second = wallet.handle(payment(Map.of("requestId", "b")));
        await().atMost(60, SECONDS).until(() -> approvals.queue().parked().size() == 2);
        List<Request> both = approvals.queue().parked();
        assertThat(both.get(0).contentHash()).isEqualTo(both.get(1).contentHash());
        both.forEach(this::approve);
        assertThat(hash(first)).isNotEqualTo(hash(second));
        assertThat(chain.nonces(felt(sender))).containsExactly(0L, 1L);
    }

    @Test
    void aRefusedRequestStaysRefusedAndAWithdrawnOneMayBeMadeAgain() {
        CompletionStage<JsonNode> refused = wallet.handle(payment(Map.of("requestId", "no")));
        approvals.queue().claim(parked().id(), "alice").refuse();
        assertThat(failure(refused).code()).isEqualTo(4001);
        assertThat(failure(answerOf(Map.of("requestId", "no"))).code()).isEqualTo(4001);
        assertThat(state("no").path("state").stringValue()).isEqualTo("REFUSED");

        TestCall call = payment(Map.of("requestId", "gone"));
        CompletionStage<JsonNode> withdrawn = wallet.handle(call);
        parked();
        call.leave();
        failure(withdrawn);
        assertThat(state("gone").path("state").stringValue()).isEqualTo("WITHDRAWN");
        CompletionStage<JsonNode> again = wallet.handle(payment(Map.of("requestId", "gone")));
        approve(parked());
        hash(again);
    }

    @Test
    void aRefusalHoldsThoughTheCallersLeaveMeanwhile() {
        TestCall call = payment(Map.of("requestId", "no"));
        CompletionStage<JsonNode> answer = wallet.handle(call);
        Claim claim = approvals.queue().claim(parked().id(), "alice");
        call.leave();
        claim.refuse();
        assertThat(failure(answer).code()).isEqualTo(4001);
        assertThat(failure(answerOf(Map.of("requestId", "no"))).code()).isEqualTo(4001);
    }

    @Test
    void aRefusalHoldsThoughTheProxyDiesBeforeItsCallersLearnOfIt() {
        wallet.handle(payment(Map.of("requestId", "no")));
        Claim claim = approvals.queue().claim(parked().id(), "alice");
        wallet.close();
        claim.refuse();
        approvals.close();
        open();
        assertThat(state("no").path("state").stringValue()).isEqualTo("REFUSED");
        assertThat(failure(answerOf(Map.of("requestId", "no"))).code()).isEqualTo(4001);
    }

    @Test
    void aRequestOfUnknownOutcomeSaysSoAndItsTransactionIsVisible() {
        chain.expect(Mishap.LOST_BEFORE);
        chain.beSilent(false);
        CompletionStage<JsonNode> answer = wallet.handle(payment(Map.of("requestId", "u")));
        Request waiting = parked();
        chain.cutAfterSending();
        approve(waiting);
        String hash = failure(answer).data().path("transaction_hash").stringValue();

        assertThat(wallet.call("l2Net_getTransactions", Map.of("senderAddress", sender, "onlyFromState", true))
                        .path(0)
                        .path("status")
                        .stringValue())
                .isEqualTo("SUBMITTING");
        assertThat(state("u").path("state").stringValue()).isEqualTo("SUBMITTING");
        assertThat(failure(answerOf(Map.of("requestId", "u")))
                        .data()
                        .path("transaction_hash")
                        .stringValue())
                .isEqualTo(hash);
        chain.mend();
        await().atMost(60, SECONDS)
                .until(() -> state("u").path("state").stringValue().equals("SUBMITTED"));
        assertThat(hash(wallet.handle(payment(Map.of("requestId", "u"))))).isEqualTo(hash);
        assertThat(chain.nonces(felt(sender))).containsExactly(0L);
    }

    @Test
    void aStatusIsKnownWhileTheWalletStillSends() {
        CompletionStage<JsonNode> answer = wallet.handle(payment(Map.of()));
        Request waiting = parked();
        chain.expect(Mishap.LOST_BEFORE);
        chain.cutAfterSending();
        approve(waiting);
        String hash = failure(answer).data().path("transaction_hash").stringValue();
        chain.losesAllTransactions(true);
        chain.mend();
        assertThat(wallet.call("l2Net_getTransactionStatus", Map.of("transactionHash", hash))
                        .stringValue())
                .isEqualTo("SUBMITTING");
    }

    @Test
    void whatWaitedWhenTheProxyStoppedIsWithdrawn() {
        wallet.handle(payment(Map.of("requestId", "w", "detached", true)));
        parked();
        wallet.close();
        approvals.close();
        open();
        assertThat(state("w").path("state").stringValue()).isEqualTo("WITHDRAWN");
        CompletionStage<JsonNode> again = wallet.handle(payment(Map.of("requestId", "w")));
        approve(parked());
        hash(again);
    }

    @Test
    void aMessageIsSignedOnceForItsRequest() {
        assertThatThrownBy(() -> wallet.call("l2Net_getRequest", Map.of("requestId", "never")))
                .hasMessageContaining("unknown");
        assertThat(failure(answerOf(Map.of("detached", true)))).hasMessageContaining("requestId");
        assertThat(failure(answerOf(Map.of("requestId", "with space")))).hasMessageContaining("visible");
    }
}
