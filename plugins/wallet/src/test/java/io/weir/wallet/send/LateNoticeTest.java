package io.weir.wallet.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.state.ChainTable;
import io.weir.wallet.state.HistoryTable;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.testing.HandClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chain that begins anew while the wallet does not look at it. */
class LateNoticeTest {
    @TempDir
    Path folder;

    private final HandClock clock = new HandClock(Instant.EPOCH);
    private SendFixture wallet;
    private L2Network network;
    private ChainRestarts restarts;

    @BeforeEach
    void open() {
        wallet = new SendFixture(folder).deployed();
        network = wallet.account.network();
        restarts = new ChainRestarts(
                wallet.client, new ChainTable(wallet.database, () -> wallet.now), Duration.ofSeconds(5), clock::nanos);
        restarts.check(network);
    }

    @AfterEach
    void close() {
        wallet.close();
    }

    private Felt pay() {
        return wallet.send(wallet.quote(true)).join();
    }

    private boolean isStored(Felt hash) {
        return new HistoryTable(wallet.database).isStored(network.chainId(), hash);
    }

    @Test
    void whatWasSentBeforeTheRestartWasNoticedStays() {
        wallet.chain.allowGaps();
        Felt old = pay();
        wallet.transactions.move(wallet.stored(old), TransactionState.ACCEPTED_ON_L2, "");
        wallet.chain.startAgain();
        wallet.deployed();
        Felt onNewChain = pay();
        assertThat(onNewChain).isNotEqualTo(old);
        restarts.check(network);
        assertThat(isStored(old)).as("not looked at within the interval").isTrue();

        clock.pass(Duration.ofSeconds(6));
        restarts.check(network);
        assertThat(isStored(old)).isFalse();
        assertThat(isStored(onNewChain))
                .as("its request would be carried out a second time")
                .isTrue();
    }

    @Test
    void noWordAboutBlocksForgetsATransactionWhoseOutcomeIsOpen() {
        Felt open = pay();
        wallet.chain.startAgain();
        clock.pass(Duration.ofSeconds(6));
        restarts.check(network);
        assertThat(isStored(open))
                .as("a node that lies about blocks says the same")
                .isTrue();

        wallet.now = wallet.now.plus(Duration.ofMinutes(11));
        clock.pass(Duration.ofSeconds(6));
        restarts.check(network);
        assertThat(isStored(open)).isFalse();
    }
}
