package io.weir.wallet.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.testing.ScriptedNode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chain that begins anew while the wallet does not look at it. */
class LateNoticeTest {
    @TempDir
    Path folder;

    private SendFixture wallet;
    private L2Network network;

    @BeforeEach
    void open() {
        wallet = new SendFixture(folder).deployed();
        network = wallet.account.network();
        wallet.restarts.check(network);
    }

    @AfterEach
    void close() {
        wallet.close();
    }

    private void startAgain() {
        wallet.chain.startAgain();
        wallet.deployed();
    }

    private void check(Duration later) {
        wallet.pass(later);
        wallet.restarts.check(network);
    }

    @Test
    void whatWasSentBeforeTheRestartWasNoticedStays() {
        wallet.chain.allowGaps();
        Felt old = wallet.pay();
        wallet.transactions.move(wallet.stored(old), TransactionState.ACCEPTED_ON_L2, "");
        wallet.chain.startAgain();
        wallet.deployed();
        Felt onNewChain = wallet.pay();
        assertThat(onNewChain).isNotEqualTo(old);
        wallet.restarts.check(network);
        assertThat(wallet.isStored(old)).as("not looked at within the interval").isTrue();

        wallet.clock.pass(Duration.ofSeconds(6));
        wallet.restarts.check(network);
        assertThat(wallet.isStored(old)).isFalse();
        assertThat(wallet.isStored(onNewChain))
                .as("its request would be carried out a second time")
                .isTrue();
    }

    @Test
    void noWordAboutBlocksForgetsATransactionWhoseOutcomeIsOpen() {
        Felt open = wallet.pay();
        wallet.chain.startAgain();
        wallet.clock.pass(Duration.ofSeconds(6));
        wallet.restarts.check(network);
        assertThat(wallet.isStored(open))
                .as("a node that lies about blocks says the same")
                .isTrue();

        wallet.now = wallet.now.plus(Duration.ofMinutes(11));
        wallet.clock.pass(Duration.ofSeconds(6));
        wallet.restarts.check(network);
        assertThat(wallet.isStored(open)).isFalse();
    }

    /** It is known to the network, and it uses the nonce of the old one: neither means that the old chain goes on. */
    @Test
    void aTransactionInABlockOfTheNewChainDoesNotHideTheRestart() {
        Felt old = wallet.settled();
        check(Duration.ofMinutes(11));
        startAgain();
        Felt onNewChain = wallet.settled();
        assertThat(wallet.stored(onNewChain).nonce())
                .isEqualTo(wallet.stored(old).nonce());

        check(Duration.ofSeconds(6));
        assertThat(wallet.isStored(old)).isFalse();
        assertThat(wallet.isStored(onNewChain)).isTrue();
    }

    @Test
    void aTransactionInABlockOfTheOldChainIsNotGivenToTheNewOne() {
        Felt old = wallet.settled();
        check(Duration.ofSeconds(6));
        startAgain();
        wallet.now = wallet.now.plusSeconds(6);
        Felt onNewChain = wallet.pay();

        assertThat(wallet.chain.nonces(wallet.account.address())).containsExactly(0L);
        assertThat(wallet.chain.lastHash()).isEqualTo(onNewChain);
        assertThat(wallet.isStored(old)).isFalse();
    }

    @Test
    void aLostTransactionIsNotGivenToTheNewChain() {
        Felt old = wallet.pay();
        StoredTransaction stored = wallet.stored(old);
        check(Duration.ofSeconds(6));
        startAgain();
        assertThatThrownBy(() -> wallet.delivery.settle(network, stored)).isInstanceOf(RpcException.class);

        assertThat(wallet.chain.nonces(wallet.account.address())).isEmpty();
        assertThat(wallet.isStored(old))
                .as("it was signed before the old chain was seen last")
                .isFalse();
    }

    /** It may have been taken by the new chain: forgotten, its request would be carried out a second time. */
    @Test
    void aTransactionThatIsDeniedThoughItsNonceIsUsedDelaysTheArchiveForTenMinutes() {
        startAgain();
        Felt onNewChain = wallet.settled();
        wallet.chain.denyTransactions(true);
        check(Duration.ofSeconds(6));
        assertThat(wallet.isStored(onNewChain)).isTrue();
        check(Duration.ofMinutes(11));
        assertThat(wallet.isStored(onNewChain)).isFalse();
    }

    @Test
    void aRefusedTransactionOfTheNewChainStays() {
        startAgain();
        wallet.chain.expect(ScriptedNode.Mishap.REFUSED);
        assertThat(SendFixture.failure(wallet.send(wallet.quote(true))).code()).isEqualTo(54);
        Felt refused =
                wallet.transactions.ofApproval("approval 1", 0).orElseThrow().hash();
        check(Duration.ofSeconds(6));
        assertThat(wallet.isStored(refused)).isTrue();
    }

    /** The beginning of a restarted fork is that of the chain before: its blocks alone show no restart. */
    @Test
    void aTransactionWhoseNonceAnotherOneHasInABlockIsNotToldAsAccepted() {
        Felt old = wallet.settled();
        wallet.now = wallet.now.plus(Duration.ofMinutes(11));
        wallet.chain.forget(old);
        Felt other = wallet.settled();
        assertThat(wallet.stored(other).nonce()).isEqualTo(wallet.stored(old).nonce());
        assertThat(wallet.state(old)).isEqualTo(TransactionState.REPLACED);
    }

    /** Nobody can tell which chain took it. It holds its nonce, and payments behind it would wait. */
    @Test
    void aLostTransactionThatWasSignedAfterTheOldChainWasSeenLastIsGivenAgain() {
        check(Duration.ofSeconds(6));
        wallet.now = wallet.now.plusSeconds(1);
        Felt open = wallet.pay();
        startAgain();
        wallet.delivery.settle(network, wallet.stored(open));
        assertThat(wallet.chain.lastHash()).isEqualTo(open);

        check(Duration.ofSeconds(6));
        assertThat(wallet.isStored(open)).isTrue();
    }
}
