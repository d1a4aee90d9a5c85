package io.weir.wallet.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Client;
import io.weir.wallet.state.ChainTable;
import io.weir.wallet.state.HistoryTable;
import io.weir.wallet.state.NamedCall;
import io.weir.wallet.state.StoredTransaction;
import io.weir.wallet.state.StoredTransaction.Approval;
import io.weir.wallet.state.TransactionState;
import io.weir.wallet.state.TransactionTable;
import io.weir.wallet.state.TransactionType;
import io.weir.wallet.state.WalletDatabase;
import io.weir.wallet.testing.LedgerChain;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One transaction is in a block; then something happens to the chain, and it is looked at again. */
class ChainRestartsTest {
    private static final Felt HASH = Felt.of(77);

    @TempDir
    Path folder;

    private final LedgerChain chain = new LedgerChain();
    private Instant now = Instant.parse("2026-01-10T00:00:00Z");
    private long nanos;
    private WalletDatabase database;
    private TransactionTable transactions;
    private ChainRestarts restarts;

    @BeforeEach
    void open() {
        database = new WalletDatabase(folder.resolve("wallet.db"));
        database.open();
        transactions = new TransactionTable(database, () -> now);
        restarts = new ChainRestarts(
                new L2Client(chain, System::nanoTime),
                new ChainTable(database, () -> now),
                Duration.ofSeconds(1),
                () -> nanos);
        look();
        settle();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static StoredTransaction settled() {
        return new StoredTransaction(
                "demo",
                SendFixture.NETWORK.chainId(),
                HASH,
                TransactionType.INVOKE,
                Felt.of(5),
                0,
                List.of(new NamedCall(Felt.of(6), "transfer", List.of())),
                BigInteger.ONE,
                "{}",
                TransactionState.PREPARED,
                "",
                Instant.parse("2026-01-10T00:00:00Z"),
                Approval.NONE);
    }

    private void settle() {
        transactions.prepare(settled());
        transactions.move(settled(), TransactionState.ACCEPTED_ON_L2, "");
    }

    private void look() {
        nanos += Duration.ofSeconds(2).toNanos();
        restarts.check(SendFixture.NETWORK);
    }

    private boolean isArchived() {
        return !new HistoryTable(database).isStored(SendFixture.NETWORK.chainId(), HASH);
    }

    private void waitLong() {
        now = now.plus(Duration.ofMinutes(11));
    }

    @Test
    void aChainWithTheSameFirstBlockThatBeganAnewIsNoticedAtOnce() {
        chain.startAgainWithTheSameFirstBlock();
        look();
        assertThat(isArchived()).isTrue();
    }

    @Test
    void itIsNoticedWhenTheNewChainHasMoreBlocksThanTheOld() {
        chain.startAgainWithTheSameFirstBlock();
        chain.setNewestBlock(20);
        look();
        assertThat(isArchived()).isTrue();
    }

    @Test
    void anotherFirstBlockIsNoticedAtOnce() {
        chain.startAgain();
        look();
        assertThat(isArchived()).isTrue();
    }

    @Test
    void aSecondRestartIsNoticedToo() {
        chain.startAgainWithTheSameFirstBlock();
        look();
        settle();
        chain.setNewestBlock(3);
        chain.addSettled(HASH, Felt.of(5));
        look();
        assertThat(isArchived()).isFalse();
        chain.startAgainWithTheSameFirstBlock();
        look();
        assertThat(isArchived()).isTrue();
    }

    /** A transaction that a reorganisation took may come back. */
    @Test
    void aReorganisationArchivesNothingBeforeTenMinutesHavePassed() {
        chain.setNewestBlock(5);
        look();
        assertThat(isArchived()).isFalse();
        waitLong();
        look();
        assertThat(isArchived()).isTrue();
    }

    @Test
    void aNodeThatForgotTransactionsOfAChainThatIsThereArchivesNothing() {
        waitLong();
        look();
        assertThat(isArchived()).isFalse();
    }

    @Test
    void aNodeThatLagsBehindArchivesNothing() {
        chain.setNewestBlock(0);
        chain.setSyncing(true);
        waitLong();
        look();
        assertThat(isArchived()).isFalse();
    }

    @Test
    void aNodeThatNamesAnotherHashEachTimeArchivesNothing() {
        chain.inventBlocks();
        waitLong();
        look();
        assertThat(isArchived()).isFalse();
    }

    @Test
    void otherBlocksWithAKnownTransactionArchiveNothing() {
        chain.startAgain();
        chain.addSettled(HASH, Felt.of(5));
        waitLong();
        look();
        assertThat(isArchived()).isFalse();
    }

    @Test
    void whereNoBlockIsAnsweredTransactionsThatAreLongGoneDecide() {
        chain.hideBlocks();
        ChainTable chains = new ChainTable(database, () -> now);
        Felt chainId = SendFixture.NETWORK.chainId();
        chains.archive(chainId, chains.mark(chainId), List.of());
        settle();
        look();
        assertThat(isArchived()).isFalse();
        waitLong();
        look();
        assertThat(isArchived()).isTrue();
    }
}
