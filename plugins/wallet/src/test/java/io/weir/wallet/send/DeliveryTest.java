package io.weir.wallet.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weir.api.RpcException;
import io.weir.wallet.chain.NetworkStatus;
import io.weir.wallet.chain.NetworkStatus.Stage;
import io.weir.wallet.chain.NodeError;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.testing.LedgerChain;
import io.weir.wallet.testing.ScriptedNode.Mishap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a transaction that is given to the network, whatever the network answers. */
class DeliveryTest {
    private static final String ADD = "starknet_addInvokeTransaction";
    private static final String STATUS = "starknet_getTransactionStatus";

    @TempDir
    Path folder;

    private SendFixture wallet;
    private StoredTransaction transaction;

    @BeforeEach
    void prepareATransaction() {
        wallet = new SendFixture(folder).deployed();
        transaction = wallet.prepared(0);
        wallet.chain.takeAsked();
    }

    @AfterEach
    void close() {
        wallet.close();
    }

    private void give() {
        wallet.delivery.give(SendFixture.NETWORK, transaction);
    }

    private RpcException failure() {
        RpcException failure = catchThrowableOfType(RpcException.class, this::give);
        assertThat(failure).isNotNull();
        return failure;
    }

    private TransactionState state() {
        return wallet.state(transaction.hash());
    }

    private void assertCounted(long sent, long accepted, long rejected) {
        assertThat(List.of(
                        wallet.meters.count("transactions_sent"),
                        wallet.meters.count("transactions_accepted"),
                        wallet.meters.count("transactions_rejected")))
                .containsExactly(sent, accepted, rejected);
    }

    @Test
    void aTransactionThatTheNetworkTakesIsReceived() {
        give();

        assertThat(state()).isEqualTo(TransactionState.RECEIVED);
        assertThat(wallet.nonces()).containsExactly(0L);
        assertThat(wallet.transactions.wasSentWithin(transaction, Duration.ofSeconds(1)))
                .isTrue();
        assertCounted(1, 1, 0);
    }

    @Test
    void aTransactionThatTheNetworkHasAlreadyIsReceivedWithoutAnotherQuestion() {
        give();
        wallet.chain.takeAsked();
        give();

        assertThat(wallet.chain.takeAsked()).containsExactly(ADD);
        assertThat(state()).isEqualTo(TransactionState.RECEIVED);
        assertThat(wallet.nonces()).containsExactly(0L);
    }

    @Test
    void aTransactionWhoseAnswerIsLostIsReceivedWhereTheNetworkKnowsIt() {
        wallet.chain.expect(Mishap.ANSWER_LOST);
        give();

        assertThat(wallet.chain.takeAsked()).containsExactly(ADD, STATUS);
        assertThat(state()).isEqualTo(TransactionState.RECEIVED);
        assertCounted(1, 1, 0);
    }

    @Test
    void aRefusalDoesNotCountWhereTheNetworkKnowsTheTransaction() {
        wallet.chain.expect(Mishap.TAKEN_BUT_REFUSED);
        give();

        assertThat(state()).isEqualTo(TransactionState.RECEIVED);
        assertCounted(1, 1, 0);
    }

    @Test
    void aRefusalEndsATransactionThatTheNetworkDoesNotKnow() {
        wallet.chain.expect(Mishap.REFUSED);

        assertThat(failure().code()).isEqualTo(54);
        assertThat(state()).isEqualTo(TransactionState.REJECTED);
        assertThat(wallet.stored(transaction.hash()).failureReason()).startsWith("Account balance is smaller");
        assertCounted(1, 0, 1);
    }

    @Test
    void aTransactionThatIsLostOnTheWayStaysPreparedAndItsHashIsTold() {
        wallet.chain.expect(Mishap.LOST_BEFORE);
        RpcException failure = failure();

        assertThat(failure.code()).isEqualTo(-32000);
        assertThat(failure).hasMessageContaining("it is not known whether the network has taken the transaction");
        assertThat(failure.data().path("transaction_hash").stringValue())
                .isEqualTo(transaction.hash().toPaddedHex());
        assertThat(failure.data().path("reason").stringValue()).isEqualTo("no node answers");
        assertThat(state()).isEqualTo(TransactionState.PREPARED);
        assertCounted(1, 0, 0);
    }

    @Test
    void aRefusalOfWhichNobodyCanTellWhetherItHoldsLeavesTheTransactionPrepared() {
        wallet.chain.expect(Mishap.REFUSED);
        wallet.chain.beSilent(true);

        assertThat(failure().code()).isEqualTo(LedgerChain.NO_ANSWER);
        assertThat(state()).isEqualTo(TransactionState.PREPARED);
        assertCounted(1, 0, 0);
    }

    @Test
    void toSettleWhatTheNetworkKnowsSendsNothing() {
        wallet.chain.expect(Mishap.ANSWER_LOST);
        wallet.chain.beSilent(true);
        failure();
        wallet.chain.beSilent(false);
        wallet.chain.takeAsked();
        wallet.delivery.settle(SendFixture.NETWORK, transaction);

        assertThat(wallet.chain.takeAsked()).containsExactly(STATUS);
        assertThat(state()).isEqualTo(TransactionState.RECEIVED);
        assertCounted(1, 1, 0);
    }

    @Test
    void toSettleWhatTheNetworkDoesNotKnowGivesItTheSameTransactionAgain() {
        wallet.chain.expect(Mishap.LOST_BEFORE);
        failure();
        wallet.delivery.settle(SendFixture.NETWORK, transaction);

        assertThat(wallet.chain.lastTransaction()).hasToString(transaction.body());
        assertThat(state()).isEqualTo(TransactionState.RECEIVED);
        assertThat(wallet.nonces()).containsExactly(0L);
        assertCounted(2, 1, 0);
    }

    @Test
    void aTransactionComesThroughItsStagesAndIsAcceptedOnce() {
        give();
        for (Stage stage : List.of(Stage.PENDING, Stage.PENDING, Stage.ACCEPTED_ON_L2)) {
            wallet.delivery.note(wallet.stored(transaction.hash()), new NetworkStatus(stage, null));
            assertThat(state().name()).isEqualTo(stage.name());
        }
        assertCounted(1, 1, 0);
    }

    @Test
    void whatIsInABlockIsNotRejectedAfterwards() {
        give();
        wallet.delivery.note(transaction, new NetworkStatus(Stage.ACCEPTED_ON_L2, null));
        wallet.delivery.note(transaction, new NetworkStatus(Stage.REJECTED, "too late"));

        assertThat(state()).isEqualTo(TransactionState.ACCEPTED_ON_L2);
    }

    @Test
    void theReasonOfAFailureIsNotedAlsoIfTheStageStaysTheSame() {
        give();
        wallet.delivery.note(transaction, new NetworkStatus(Stage.PENDING, null));
        wallet.delivery.note(wallet.stored(transaction.hash()), new NetworkStatus(Stage.PENDING, "out of gas"));

        assertThat(wallet.stored(transaction.hash()).failureReason()).isEqualTo("out of gas");
    }

    private void giveAfterLoss() {
        wallet.transactions.move(transaction, TransactionState.ACCEPTED_ON_L2, "");
        wallet.delivery.giveAfterLoss(SendFixture.NETWORK, wallet.stored(transaction.hash()));
    }

    @Test
    void aTransactionThatLostItsBlockIsReceivedWhenTheNetworkTakesItAgain() {
        giveAfterLoss();

        assertThat(state()).isEqualTo(TransactionState.RECEIVED);
        assertThat(wallet.nonces()).containsExactly(0L);
        assertCounted(1, 0, 0);
    }

    @Test
    void aTransactionThatLostItsBlockIsReceivedWhenTheNetworkHasItAgainAlready() {
        give();
        giveAfterLoss();

        assertThat(state()).isEqualTo(TransactionState.RECEIVED);
        assertThat(wallet.nonces()).containsExactly(0L);
    }

    @Test
    void aTransactionStaysInItsBlockWhereANodeThatLagsBehindRefusesItForItsNonce() {
        transaction = wallet.prepared(7);
        giveAfterLoss();

        assertThat(state()).isEqualTo(TransactionState.ACCEPTED_ON_L2);
    }

    @Test
    void aTransactionStaysInItsBlockWhereNobodyCanTellWhetherTheNetworkTookItAgain() {
        wallet.chain.expect(Mishap.LOST_BEFORE);
        giveAfterLoss();

        assertThat(state()).isEqualTo(TransactionState.ACCEPTED_ON_L2);
    }

    @Test
    void aTransactionThatLostItsBlockIsRejectedWhereTheNetworkDoesNotTakeItAgain() {
        wallet.chain.expect(Mishap.REFUSED);
        giveAfterLoss();

        assertThat(state()).isEqualTo(TransactionState.REJECTED);
        assertThat(wallet.stored(transaction.hash()).failureReason()).startsWith("Account balance is smaller");
    }

    @Test
    void aStatusThatSaysNothingNewOnlyNotesThatItWasAskedFor() {
        StoredTransaction other = wallet.prepared(1);
        wallet.now = wallet.now.plusSeconds(1);
        wallet.delivery.note(transaction, new NetworkStatus(Stage.RECEIVED, null));
        wallet.now = wallet.now.plusSeconds(1);
        wallet.delivery.note(other, new NetworkStatus(Stage.RECEIVED, null));
        wallet.now = wallet.now.plusSeconds(1);
        wallet.delivery.note(wallet.stored(transaction.hash()), new NetworkStatus(Stage.RECEIVED, null));

        assertThat(wallet.transactions.unsettled(10))
                .extracting(StoredTransaction::hash)
                .as("looked at longest ago first")
                .containsExactly(other.hash(), transaction.hash());
        assertThat(wallet.meters.count("transactions_accepted")).isEqualTo(2);
    }

    @Test
    void aDeploymentThatWasUndoneLeavesTheAccountFree() {
        Draft draft = Draft.deployment(wallet.account);
        StoredTransaction deployment =
                wallet.signer.prepare(draft, 0, wallet.quote(true).bounds().get(0), StoredTransaction.Approval.NONE);
        wallet.transactions.prepareDeployment(deployment, wallet.account.deployedBy(deployment.hash()));
        assertThat(accountIsInitialised()).isTrue();
        wallet.delivery.note(deployment, new NetworkStatus(Stage.ACCEPTED_ON_L2, "out of gas"));

        assertThat(accountIsInitialised()).isFalse();
        assertThat(wallet.stored(deployment.hash()).failureReason()).isEqualTo("out of gas");
    }

    private boolean accountIsInitialised() {
        return wallet.accounts
                .find("demo", SendFixture.NETWORK.chainId(), wallet.account.address())
                .orElseThrow()
                .isInitialised();
    }

    @Test
    void aRefusalForItsNonceKeepsTheNetworksCode() {
        transaction = wallet.prepared(7);

        assertThat(failure().code()).isEqualTo(NodeError.INVALID_NONCE);
        assertThat(state()).isEqualTo(TransactionState.REJECTED);
    }
}
