package io.weir.wallet.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.RpcException;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.state.ChainTable;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.StoredTransaction.Approval;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.testing.ScriptedNode.Mishap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transactions that the poller sends again, and those that it leaves alone. */
class StatusPollerTest {
    private static final String ADD = "starknet_addInvokeTransaction";
    private static final Duration RESEND_AFTER = StatusPoller.RESEND_AFTER;

    @TempDir
    Path folder;

    private final SenderQueues queues = new SenderQueues(Runnable::run, 2);
    private SendFixture wallet;
    private StatusPoller poller;

    @BeforeEach
    void open() {
        wallet = new SendFixture(folder).deployed();
        poller = poller("l2", 10);
    }

    @AfterEach
    void close() {
        wallet.close();
    }

    private StatusPoller poller(String kind, int batch) {
        ChainTable chains = new ChainTable(wallet.database, () -> wallet.now);
        return new StatusPoller(
                wallet.client,
                new L2Networks(wallet.chain, kind),
                new ChainRestarts(wallet.client, chains, Duration.ofSeconds(1), System::nanoTime),
                wallet.transactions,
                wallet.delivery,
                queues,
                wallet.meters,
                batch);
    }

    /** Has a transaction received, which the node then loses. */
    private StoredTransaction lost() {
        StoredTransaction transaction = wallet.prepared(0);
        wallet.delivery.give(SendFixture.NETWORK, transaction);
        wallet.chain.forget(transaction.hash());
        return transaction;
    }

    private StoredTransaction replace(StoredTransaction replaced) {
        StoredTransaction replacement = wallet.signer.prepare(
                wallet.draft(), replaced.nonce(), wallet.quote(true).bounds().get(0), Approval.NONE);
        wallet.transactions.prepareInPlaceOf(replaced, replacement);
        return replacement;
    }

    private CompletableFuture<Boolean> occupyQueue() {
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        queues.run(new SenderQueues.Sender(SendFixture.NETWORK.chainId(), wallet.account.address()), () -> end);
        return end;
    }

    private void poll(Duration later) {
        wallet.now = wallet.now.plus(later);
        wallet.chain.takeAsked();
        poller.poll();
    }

    private boolean isKnown(StoredTransaction transaction) {
        return wallet.client.status(SendFixture.NETWORK, transaction.hash()).isPresent();
    }

    @Test
    void aTransactionThatItsNodeLostIsSentAgainWhenTheNodeHadTimeToTellIt() {
        StoredTransaction lost = lost();
        poll(RESEND_AFTER.minusSeconds(1));
        assertThat(wallet.chain.takeAsked()).doesNotContain(ADD);
        poll(Duration.ofSeconds(2));
        assertThat(isKnown(lost)).isTrue();
    }

    @Test
    void aReplacedTransactionThatItsNodeLostIsNotSentAgain() {
        StoredTransaction lost = lost();
        StoredTransaction replacement = replace(lost);
        poll(RESEND_AFTER.plusSeconds(1));
        assertThat(isKnown(lost)).isFalse();
        assertThat(isKnown(replacement)).isTrue();
    }

    @Test
    void aTransactionThatIsReplacedWhileItWaitsToBeSentAgainIsNotSent() {
        StoredTransaction lost = lost();
        CompletableFuture<Boolean> other = occupyQueue();
        poll(RESEND_AFTER.plusSeconds(1));
        StoredTransaction replacement = replace(lost);
        other.complete(true);
        assertThat(wallet.chain.takeAsked()).containsOnlyOnce(ADD);
        assertThat(isKnown(replacement)).isTrue();
        assertThat(wallet.state(lost.hash())).isEqualTo(TransactionState.RECEIVED);
    }

    @Test
    void aReplacedTransactionOfUnknownOutcomeIsReceivedIfTheNetworkKnowsIt() {
        StoredTransaction taken = wallet.prepared(0);
        wallet.chain.expect(Mishap.ANSWER_LOST);
        wallet.chain.beSilent(true);
        assertThatThrownBy(() -> wallet.delivery.give(SendFixture.NETWORK, taken))
                .isInstanceOf(RpcException.class);
        wallet.chain.beSilent(false);
        wallet.transactions.move(replace(taken), TransactionState.RECEIVED, "");
        poll(Duration.ofSeconds(1));
        assertThat(wallet.state(taken.hash())).isEqualTo(TransactionState.RECEIVED);
    }

    @Test
    void aTransactionInABlockIsNotSentAgainByALookAtANodeThatLagsBehind() {
        StoredTransaction settled = lost();
        wallet.transactions.move(settled, TransactionState.ACCEPTED_ON_L2, "");
        wallet.now = wallet.now.plus(RESEND_AFTER.plusSeconds(1));
        poller.refresh(SendFixture.NETWORK, wallet.stored(settled.hash()));
        assertThat(isKnown(settled)).isFalse();
        assertThat(wallet.state(settled.hash())).isEqualTo(TransactionState.ACCEPTED_ON_L2);
    }

    @Test
    void aRefusedTransactionDoesNotHoldUpThoseBehindIt() {
        wallet.chain.allowGaps();
        StoredTransaction first = wallet.prepared(0);
        StoredTransaction second = wallet.prepared(1);
        wallet.chain.expect(Mishap.REFUSED);
        CompletableFuture<Boolean> running = occupyQueue();
        poll(Duration.ofSeconds(1));
        running.complete(true);
        assertThat(wallet.state(first.hash())).isEqualTo(TransactionState.REJECTED);
        assertThat(wallet.state(second.hash())).isEqualTo(TransactionState.RECEIVED);
    }

    @Test
    void aTransactionOfUnknownOutcomeHoldsUpThoseBehindIt() {
        wallet.chain.allowGaps();
        StoredTransaction first = wallet.prepared(0);
        StoredTransaction second = wallet.prepared(1);
        wallet.chain.expect(Mishap.LOST_BEFORE);
        CompletableFuture<Boolean> running = occupyQueue();
        poll(Duration.ofSeconds(1));
        running.complete(true);
        assertThat(wallet.state(first.hash())).isEqualTo(TransactionState.PREPARED);
        assertThat(wallet.state(second.hash())).isEqualTo(TransactionState.PREPARED);
    }

    @Test
    void aTransactionThatIsLostOnTheWayIsSentByTheNextRound() {
        StoredTransaction prepared = wallet.prepared(0);
        wallet.chain.expect(Mishap.LOST_BEFORE);
        poll(Duration.ofSeconds(1));
        assertThat(isKnown(prepared)).isFalse();
        poll(Duration.ofSeconds(1));
        assertThat(isKnown(prepared)).isTrue();
    }

    @Test
    void aTransactionForWhichTheQueueHadNoPlaceIsSentByTheNextRound() {
        StoredTransaction prepared = wallet.prepared(0);
        CompletableFuture<Boolean> running = occupyQueue();
        occupyQueue().complete(true);
        occupyQueue().complete(true);
        poll(Duration.ofSeconds(1));
        running.complete(true);
        assertThat(isKnown(prepared)).isFalse();
        poll(Duration.ofSeconds(1));
        assertThat(isKnown(prepared)).isTrue();
    }

    @Test
    void allTransactionsOfASenderTakeOnePlaceInItsQueue() {
        wallet.prepared(0);
        wallet.prepared(1);
        occupyQueue();
        poll(Duration.ofSeconds(1));
        assertThatCode(this::occupyQueue).as("in the last place").doesNotThrowAnyException();
    }

    @Test
    void aTransactionThatCannotBeLookedUpLeavesTheNextRoundToOthers() {
        poller = poller("l2", 1);
        lost();
        StoredTransaction other = wallet.prepared(0);
        wallet.delivery.give(SendFixture.NETWORK, other);
        wallet.chain.advance();
        wallet.chain.beSilent(true);
        poll(Duration.ofSeconds(1));
        wallet.chain.beSilent(false);
        poll(Duration.ofSeconds(1));
        assertThat(wallet.state(other.hash())).isEqualTo(TransactionState.PENDING);
    }

    @Test
    void aTransactionThatIsUnknownOrWaitsToBeSentLeavesTheNextRoundToOthers() {
        poller = poller("l2", 1);
        lost();
        StoredTransaction waiting = wallet.prepared(0);
        StoredTransaction other = wallet.prepared(0);
        wallet.delivery.give(SendFixture.NETWORK, other);
        wallet.chain.advance();
        occupyQueue();
        for (int round = 0; round < 3; round++) {
            poll(Duration.ofSeconds(1));
        }
        assertThat(wallet.state(other.hash())).isEqualTo(TransactionState.PENDING);
        assertThat(wallet.state(waiting.hash())).isEqualTo(TransactionState.PREPARED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theGaugeCountsTransactionsThatAreNotSettledAlsoOfANetworkThatIsNotConfigured(boolean configured) {
        poller = poller(configured ? "l2" : "none", 10);
        wallet.prepared(0);
        poll(Duration.ofSeconds(1));
        assertThat(wallet.meters.gauge("transactions_unsettled")).isEqualTo(1);
        assertThat(wallet.chain.takeAsked().contains(ADD)).isEqualTo(configured);
    }
}
