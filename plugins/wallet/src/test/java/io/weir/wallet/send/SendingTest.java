package io.weir.wallet.send;

import static io.weir.wallet.send.SendFixture.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.chain.NetworkStatus;
import io.weir.wallet.chain.NodeError;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.testing.ScriptedNode.Mishap;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nonces follow one another, and no transaction is made twice. */
class SendingTest {
    private static final String ADD = "starknet_addInvokeTransaction";

    @TempDir
    Path folder;

    private SendFixture wallet;

    @BeforeEach
    void open() {
        wallet = new SendFixture(folder);
    }

    @AfterEach
    void close() {
        wallet.close();
    }

    private CompletableFuture<Felt> sendCall() {
        return wallet.send(wallet.quote(true));
    }

    private CompletableFuture<Felt> sendDeployment() {
        return wallet.send(wallet.fees.deployment(wallet.account));
    }

    private Felt replace(Felt replaced) throws Exception {
        Quote cancel = wallet.quote(true);
        return hash(wallet.sending
                .replace(
                        wallet.stored(replaced),
                        cancel.drafts().get(0),
                        cancel.bounds().get(0),
                        "cancel")
                .toCompletableFuture());
    }

    private static Felt hash(CompletableFuture<Felt> sent) throws Exception {
        return sent.get(30, TimeUnit.SECONDS);
    }

    @Test
    void transactionsOfOneSenderGetConsecutiveNoncesAlsoWhereTheNodeDoesNotCountThemYet() throws Exception {
        wallet.deployed();
        List<Felt> hashes = List.of(hash(sendCall()), hash(sendCall()), hash(sendCall()));

        assertThat(wallet.nonces()).containsExactly(0L, 1L, 2L);
        assertThat(hashes)
                .doesNotHaveDuplicates()
                .allSatisfy(one -> assertThat(wallet.state(one)).isEqualTo(TransactionState.RECEIVED));
    }

    @Test
    void theNetworksNonceCountsWhereOthersHaveSentForTheAccountToo() throws Exception {
        wallet.deployed();
        hash(sendCall());
        wallet.chain.advance();
        wallet.delivery.give(SendFixture.NETWORK, wallet.prepared(1));
        wallet.chain.advance();

        hash(sendCall());
        assertThat(wallet.nonces()).containsExactly(0L, 1L, 2L);
    }

    @Test
    void aRefusedTransactionLeavesItsNonceToTheNext() throws Exception {
        wallet.deployed();
        wallet.chain.expect(Mishap.REFUSED);
        assertThat(failure(sendCall()).code()).isEqualTo(54);

        hash(sendCall());
        assertThat(wallet.nonces()).containsExactly(0L);
    }

    @Test
    void aTransactionWhoseFateIsNotKnownIsSettledBeforeTheNextOneIsMade() throws Exception {
        wallet.deployed();
        wallet.chain.expect(Mishap.LOST_BEFORE);
        Felt lost = Felt.parseHex(
                failure(sendCall()).data().path("transaction_hash").stringValue());
        assertThat(wallet.state(lost)).isEqualTo(TransactionState.PREPARED);
        assertThat(wallet.nonces()).isEmpty();

        hash(sendCall());
        assertThat(wallet.nonces()).containsExactly(0L, 1L);
        assertThat(wallet.state(lost)).isEqualTo(TransactionState.RECEIVED);
    }

    @Test
    void nothingIsSentWhileTheFateOfTheOneBeforeIsNotKnown() {
        wallet.deployed();
        wallet.chain.expect(Mishap.LOST_BEFORE, Mishap.LOST_BEFORE);
        failure(sendCall());

        assertThat(failure(sendCall()).code()).isEqualTo(-32000);
        assertThat(wallet.nonces()).isEmpty();
        assertThat(wallet.transactions.prepared(SendFixture.NETWORK.chainId(), wallet.account.address()))
                .as("only the first was made")
                .hasSize(1);
    }

    @Test
    void aTransactionThatTurnsOutToBeRefusedLeavesItsNonceToTheNext() throws Exception {
        wallet.deployed();
        wallet.chain.expect(Mishap.LOST_BEFORE, Mishap.REFUSED);
        Felt lost = Felt.parseHex(
                failure(sendCall()).data().path("transaction_hash").stringValue());

        Felt next = hash(sendCall());
        assertThat(wallet.state(lost)).isEqualTo(TransactionState.REJECTED);
        assertThat(wallet.state(next)).isEqualTo(TransactionState.RECEIVED);
        assertThat(wallet.nonces()).containsExactly(0L);
    }

    @Test
    void whatAReorganisationTookOutOfItsBlockIsGivenAgainBeforeTheNextOne() throws Exception {
        wallet.deployed();
        Felt dropped = hash(sendCall());
        wallet.chain.advance();
        wallet.chain.advance();
        wallet.delivery.settle(SendFixture.NETWORK, wallet.stored(dropped));
        assertThat(wallet.state(dropped)).isEqualTo(TransactionState.ACCEPTED_ON_L2);
        wallet.chain.forget(dropped);
        wallet.now = wallet.now.plusSeconds(60);

        hash(sendCall());
        assertThat(wallet.nonces()).containsExactly(0L, 1L);
        assertThat(wallet.state(dropped)).isEqualTo(TransactionState.RECEIVED);
    }

    @Test
    void aNodeThatRefusesATransactionForItsNonceGetsNoSecondOneForTheSameApproval() {
        wallet.deployed();
        // It refuses nonce 0, keeps the transaction, says that it does not know the hash, and names 1 as the next
        // nonce.
        wallet.chain.lieAboutTheNextTransaction();
        Quote payment = wallet.quote(true);

        assertThat(failure(wallet.send(payment)).code()).isEqualTo(NodeError.INVALID_NONCE);
        assertThat(wallet.nonces()).as("signed and sent once").containsExactly(0L);
    }

    @Test
    void anApprovalIsGoodForOneTransaction() throws Exception {
        wallet.deployed();
        hash(wallet.sending.send(wallet.quote(true), "once").toCompletableFuture());
        CompletableFuture<Felt> again =
                wallet.sending.send(wallet.quote(true), "once").toCompletableFuture();

        assertThat(again).isCompletedExceptionally();
        assertThat(wallet.nonces()).containsExactly(0L);
    }

    @Test
    void aPaymentThatWasRefusedAndTakenAllTheSameStopsTheNextOne() throws Exception {
        wallet.deployed();
        wallet.chain.lieAboutTheNextTransaction();
        failure(sendCall());
        Felt taken = Felt.parse(Objects.requireNonNull(wallet.chain.lastHash()).toHex());
        assertThat(wallet.state(taken)).isEqualTo(TransactionState.REJECTED);
        wallet.chain.tellTheTruth();

        RpcException stopped = failure(sendCall());
        assertThat(stopped.data().path("earlier_transaction_hash").stringValue())
                .isEqualTo(taken.toPaddedHex());
        assertThat(wallet.state(taken)).isNotEqualTo(TransactionState.REJECTED);
        hash(sendCall());
        assertThat(wallet.nonces()).containsExactly(0L, 1L);
    }

    @Test
    void whileOneIsUncertainTheNextFailsWithoutAHashOfItsOwn() {
        wallet.deployed();
        wallet.chain.expect(Mishap.LOST_BEFORE, Mishap.LOST_BEFORE);
        RpcException first = failure(sendCall());
        RpcException second = failure(sendCall());

        String hash = first.data().path("transaction_hash").stringValue();
        assertThat(second.data().has("transaction_hash")).isFalse();
        assertThat(second.data().path("earlier_transaction_hash").stringValue()).isEqualTo(hash);
        assertThat(second).hasMessageStartingWith("not signed and not sent");
    }

    @Test
    void aDeploymentOfUnknownOutcomeIsNotTheHashOfTheCallThatFollowsIt() {
        wallet.chain.expect(Mishap.LOST_BEFORE);
        RpcException failure = failure(wallet.send(wallet.quote(false)));

        assertThat(failure.data().has("transaction_hash")).isFalse();
        assertThat(failure.data().path("deployment_transaction_hash").isString())
                .isTrue();
    }

    @Test
    void aGapIsFilledByTheNextTransaction() throws Exception {
        wallet.deployed();
        wallet.chain.allowGaps();
        Felt dropped = hash(sendCall());
        hash(sendCall());
        wallet.chain.forget(dropped);
        wallet.chain.expect(Mishap.REFUSED);
        wallet.now = wallet.now.plusSeconds(60);

        hash(sendCall());
        assertThat(wallet.state(dropped)).isEqualTo(TransactionState.REJECTED);
        assertThat(wallet.nonces()).containsExactlyInAnyOrder(0L, 1L);
    }

    @Test
    void aTransactionOfTheSameNonceTakesThePlaceOfOneThatIsHeldUp() throws Exception {
        wallet.deployed();
        Felt stuck = hash(sendCall());
        wallet.chain.forget(stuck);
        Felt replacement = replace(stuck);
        assertThat(wallet.nonces()).containsExactly(0L);
        assertThat(wallet.state(stuck)).as("either may still be carried out").isEqualTo(TransactionState.RECEIVED);
        wallet.delivery.note(wallet.stored(replacement), new NetworkStatus(NetworkStatus.Stage.ACCEPTED_ON_L2, null));

        assertThat(wallet.state(stuck)).isEqualTo(TransactionState.REPLACED);
        assertThat(wallet.stored(stuck).failureReason()).contains(replacement.toPaddedHex());
    }

    @Test
    void aReplacedTransactionThatTheNodeLostIsNotSentAgain() throws Exception {
        wallet.deployed();
        Felt replaced = hash(sendCall());
        wallet.chain.forget(replaced);
        Felt replacement = replace(replaced);
        wallet.chain.forget(replacement);
        wallet.now = wallet.now.plusSeconds(60);

        hash(sendCall());
        assertThat(wallet.nonces()).containsExactly(0L, 1L);
        assertThat(wallet.client.status(SendFixture.NETWORK, replaced)).isEmpty();
        assertThat(wallet.client.status(SendFixture.NETWORK, replacement)).isPresent();
    }

    @Test
    void aTransactionWhoseReplacementWasRefusedIsSentAgain() throws Exception {
        wallet.deployed();
        Felt stuck = hash(sendCall());
        wallet.chain.forget(stuck);
        wallet.chain.expect(Mishap.REFUSED);
        assertThatThrownBy(() -> replace(stuck)).hasMessageContaining("Account balance is smaller");
        wallet.now = wallet.now.plusSeconds(60);

        hash(sendCall());
        assertThat(wallet.nonces()).containsExactly(0L, 1L);
        assertThat(wallet.client.status(SendFixture.NETWORK, stuck)).isPresent();
    }

    @Test
    void aRefusedTransactionWhoseNonceAnotherOneUsedIsAskedForOnce() throws Exception {
        wallet.deployed();
        wallet.chain.expect(Mishap.REFUSED);
        failure(sendCall());
        hash(sendCall());
        wallet.chain.advance();
        wallet.chain.takeAsked();

        hash(sendCall());
        assertThat(wallet.chain.takeAsked()).containsOnlyOnce("starknet_getTransactionStatus");
        hash(sendCall());
        assertThat(wallet.chain.takeAsked()).doesNotContain("starknet_getTransactionStatus");
        assertThat(wallet.nonces()).containsExactly(0L, 1L, 2L);
    }

    @Test
    void aNonceThatIsRefusedAndStillTheSameIsNotTriedAgain() {
        wallet.deployed();
        // The wallet counts one on its way that the network has never seen: nonce 1 is refused, and still the next one.
        wallet.transactions.move(wallet.prepared(0), TransactionState.RECEIVED, "");
        wallet.chain.takeAsked();

        assertThat(failure(sendCall()).code()).isEqualTo(NodeError.INVALID_NONCE);
        assertThat(wallet.chain.takeAsked()).containsOnlyOnce(ADD);
    }

    @Test
    void anAccountThatIsNotThereIsDeployedBeforeItsFirstTransaction() throws Exception {
        CompletableFuture<Felt> sent = wallet.send(wallet.quote(false));
        assertThat(sent).as("the deployment is in no block yet").isNotDone();
        assertThat(wallet.nonces()).containsExactly(0L);
        wallet.chain.advance();

        Felt hash = hash(sent);
        assertThat(wallet.nonces()).containsExactly(0L, 1L);
        assertThat(wallet.stored(hash).calls().get(0).function()).isEqualTo("transfer");
    }

    @Test
    void anAccountThatCameToTheChainMeanwhileIsNotDeployedAgain() throws Exception {
        Quote quote = wallet.quote(false);
        wallet.deployed();
        Felt hash = hash(wallet.send(quote));

        assertThat(wallet.nonces()).containsExactly(0L);
        assertThat(wallet.stored(hash).calls().get(0).function()).isEqualTo("transfer");
    }

    @Test
    void aDeploymentThatIsOnItsWayIsNotSentAgain() throws Exception {
        Quote first = wallet.quote(false);
        Quote second = wallet.quote(false);
        CompletableFuture<Felt> one = wallet.send(first);
        CompletableFuture<Felt> other = wallet.send(second);
        wallet.chain.advanceByItself();

        assertThat(hash(one)).isNotEqualTo(hash(other));
        assertThat(wallet.nonces()).containsExactly(0L, 1L, 2L);
    }

    @Test
    void whoAsksForADeploymentThatThereIsGetsItsHash() throws Exception {
        Felt first = hash(sendDeployment());
        Felt second = hash(sendDeployment());

        assertThat(second).isEqualTo(first);
        assertThat(wallet.nonces()).containsExactly(0L);
    }

    @Test
    void anAccountThatOthersDeployedIsToldToBeThere() {
        Quote quote = wallet.fees.deployment(wallet.account);
        wallet.deployed();

        assertThat(failure(wallet.send(quote)))
                .hasMessage("the account " + wallet.account.address().toPaddedHex() + " is deployed already");
        assertThat(wallet.nonces()).isEmpty();
    }

    @Test
    void aCallWaitsUntilTheOneBeforeHasEnded() throws Exception {
        CompletableFuture<Felt> deploying = wallet.send(wallet.quote(false));
        CompletableFuture<Felt> next = wallet.send(new Quote(
                List.of(wallet.draft()),
                wallet.fees.deployment(wallet.account).estimates(),
                wallet.fees.deployment(wallet.account).bounds()));
        assertThat(next).isNotDone();
        wallet.chain.advance();

        hash(deploying);
        hash(next);
        assertThat(wallet.nonces()).containsExactly(0L, 1L, 2L);
    }

    @Test
    void theWalletsOwnCountComesFirstWhereTheNodeLagsBehind() throws Exception {
        wallet.deployed();
        wallet.transactions.move(wallet.prepared(0), TransactionState.ACCEPTED_ON_L2, "");
        wallet.chain.allowGaps();
        Felt next = hash(sendCall());

        assertThat(wallet.stored(next).nonce()).isEqualTo(1);
    }

    @Test
    void whatWasInABlockLongAgoDoesNotCount() throws Exception {
        wallet.deployed();
        wallet.transactions.move(wallet.prepared(4), TransactionState.ACCEPTED_ON_L2, "");
        wallet.now = wallet.now.plusSeconds(3_600);
        wallet.chain.takeAsked();
        hash(sendCall());

        assertThat(wallet.chain.takeAsked()).containsOnlyOnce(ADD);
        assertThat(wallet.nonces()).containsExactly(0L);
    }
}
