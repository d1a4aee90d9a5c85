package io.weir.wallet.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.l2.Felt;
import io.weir.wallet.state.StoredTransaction.Approval;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WalletDatabaseTest {
    private static final Felt CHAIN = Felt.of(5);
    private static final Felt SENDER = Felt.of(77);

    @TempDir
    Path folder;

    private Instant now = Instant.parse("2026-01-10T00:00:00Z");
    private WalletDatabase database;
    private TransactionTable transactions;
    private AccountTable accounts;

    @BeforeEach
    void open() {
        database = new WalletDatabase(folder.resolve("wallet.db"));
        database.open();
        transactions = new TransactionTable(database, () -> now);
        accounts = new AccountTable(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private StoredTransaction transaction(long nonce) {
        return approved(nonce, Approval.NONE);
    }

    private StoredTransaction approved(long nonce, Approval approval) {
        return approved(nonce, approval, Felt.of(1000 + nonce));
    }

    private StoredTransaction approved(long nonce, Approval approval, Felt hash) {
        return new StoredTransaction(
                "demo",
                CHAIN,
                hash,
                TransactionType.INVOKE,
                SENDER,
                nonce,
                List.of(new NamedCall(Felt.of(3), "transfer", List.of(Felt.ONE, Felt.of(2)))),
                BigInteger.TEN.pow(30),
                "{}",
                TransactionState.PREPARED,
                "",
                now,
                approval);
    }

    private static StoredAccount account(Felt publicKey, Felt deployHash) {
        return new StoredAccount("demo", CHAIN, SENDER, "usual", 0, Felt.of(9), publicKey, deployHash, false, false);
    }

    @Test
    void whatIsStoredOutlivesTheConnection() {
        transactions.prepare(transaction(4));
        accounts.put(account(Felt.of(9), Felt.of(8)));
        database.close();
        open();
        assertThat(transactions.prepared(CHAIN, SENDER)).containsExactly(transaction(4));
        assertThat(accounts.all("demo", CHAIN)).containsExactly(account(Felt.of(9), Felt.of(8)));
        assertThat(accounts.all("other", CHAIN)).isEmpty();
        assertThat(accounts.all("demo", Felt.of(6))).isEmpty();
    }

    @Test
    void aFileThatIsMissingIsMadeByTheFirstStatement() {
        Path missing = folder.resolve("unused.db");
        WalletDatabase unused = new WalletDatabase(missing);
        unused.openIfThere();
        assertThat(unused.isOpen()).isFalse();
        assertThat(missing).doesNotExist();

        assertThat(new AccountTable(unused).all("demo", CHAIN)).isEmpty();
        assertThat(unused.isOpen()).isTrue();
        assertThat(missing).exists();

        unused.close();
        assertThatThrownBy(() -> new AccountTable(unused).all("demo", CHAIN)).hasMessageContaining("is not open");
        unused.openIfThere();
        assertThat(unused.isOpen()).isTrue();
        unused.close();
    }

    @Test
    void aFileThatCouldNotBeMadeIsTriedAgainByTheNextStatement() throws Exception {
        Path file = folder.resolve("late.db");
        WalletDatabase late = new WalletDatabase(file);
        late.openIfThere();
        Files.createDirectory(file);
        assertThatThrownBy(() -> new AccountTable(late).all("demo", CHAIN)).hasMessageContaining("cannot be opened");
        Files.delete(file);
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 99");
        }
        assertThatThrownBy(() -> new AccountTable(late).all("demo", CHAIN)).hasMessageContaining("version 99");
        Files.delete(file);
        assertThat(new AccountTable(late).all("demo", CHAIN)).isEmpty();
        late.close();
    }

    @Test
    void theFileIsItsOwnersAlone() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("wallet.db"))))
                .isEqualTo("rw-------");
    }

    @Test
    void anotherVersionsFileIsRefusedAndLeftAsItIs() throws SQLException {
        database.close();
        Path file = folder.resolve("wallet.db");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 99");
        }
        assertThatThrownBy(() -> new WalletDatabase(file).open())
                .hasMessage("the wallet's state: version 99 (expected: 6; another version of the plugin wrote it)");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement();
                var row = statement.executeQuery("PRAGMA user_version")) {
            assertThat(row.getInt(1)).isEqualTo(99);
        }
    }

    @Test
    void aFullFileTakesNothingOfAChangeAndServesAgainOnceItHasRoom() {
        transactions.prepare(transaction(0));
        database.change("PRAGMA max_page_count = 1");
        assertThatThrownBy(() -> {
                    for (int nonce = 1; nonce < 1000; nonce++) {
                        transactions.prepareDeployment(transaction(nonce), account(Felt.of(nonce), Felt.of(nonce)));
                    }
                })
                .isInstanceOf(StateException.class)
                .hasMessage("the wallet's state cannot be used: [SQLITE_FULL] Insertion failed because database is full"
                        + " (database or disk is full)");
        long stored = transactions.countUnsettled();
        assertThat(accounts.find("demo", CHAIN, SENDER).orElseThrow().deployHash())
                .isEqualTo(Felt.of(stored - 1));
        database.change("PRAGMA max_page_count = 100000");
        transactions.prepare(transaction(stored));
        assertThat(transactions.countUnsettled()).isEqualTo(stored + 1);
    }

    @Test
    void severalCallsAreStoredInTheirOrder() {
        StoredTransaction one = transaction(0);
        List<NamedCall> calls = List.of(
                new NamedCall(Felt.of(4), "approve", List.of(Felt.of(9))),
                new NamedCall(Felt.of(5), "with \"quotes\"", List.of()),
                new NamedCall(Felt.of(4), "approve", List.of(Felt.ZERO, Felt.ONE)));
        transactions.prepare(new StoredTransaction(
                one.tenant(),
                one.chainId(),
                one.hash(),
                one.type(),
                one.sender(),
                one.nonce(),
                calls,
                one.maxFee(),
                one.body(),
                one.state(),
                one.failureReason(),
                one.created(),
                one.approval()));
        assertThat(only().calls()).isEqualTo(calls);
    }

    @Test
    void aDeploymentIsStoredWithItsAccountOrNotAtAll() {
        transactions.prepare(transaction(0));
        assertThatThrownBy(() -> transactions.prepareDeployment(transaction(0), account(Felt.of(9), Felt.of(8))))
                .isInstanceOf(StateException.class);
        assertThat(accounts.all("demo", CHAIN)).isEmpty();
    }

    private List<StoredTransaction> stored() {
        return new HistoryTable(database)
                .page(
                        new HistoryTable.Owner("demo", CHAIN, SENDER),
                        new HistoryTable.Filter(Instant.EPOCH, null, true),
                        null,
                        10);
    }

    private StoredTransaction only() {
        List<StoredTransaction> shown = stored();
        assertThat(shown).hasSize(1);
        return shown.get(0);
    }

    @Test
    void whatIsPreparedIsShownAndWhatWasRefusedMovesOnlyWhereTheNetworkHasItAfterAll() {
        transactions.prepare(transaction(0));
        assertThat(only().state().shown()).isEqualTo("SUBMITTING");
        transactions.move(transaction(0), TransactionState.REJECTED, "no");
        transactions.move(transaction(0), TransactionState.REJECTED, "not at all");
        assertThat(only().failureReason()).isEqualTo("no");
        assertThat(transactions.unsettled(10)).isEmpty();
        transactions.move(transaction(0), TransactionState.ACCEPTED_ON_L2, "");
        transactions.move(transaction(0), TransactionState.RECEIVED, "");
        assertThat(only().state()).isEqualTo(TransactionState.ACCEPTED_ON_L2);
    }

    @Test
    void anApprovalHasOneTransactionForEachOfItsParts() {
        transactions.prepare(approved(0, new Approval("a", 0)));
        transactions.prepare(approved(1, new Approval("a", 1)));
        transactions.prepare(approved(2, new Approval("b", 0)));
        assertThatThrownBy(() -> transactions.prepare(approved(3, new Approval("a", 0))))
                .isInstanceOf(StateException.class);
        assertThat(transactions.ofApproval("a"))
                .extracting(StoredTransaction::nonce)
                .containsExactly(0L, 1L);
    }

    @Test
    void aTransactionTakesThePlaceOfAnotherUntilOneIsInABlock() {
        transactions.prepare(transaction(0));
        transactions.prepare(transaction(1));
        StoredTransaction cancel = approved(0, new Approval("cancel", 0), Felt.of(4711));
        transactions.prepareInPlaceOf(transaction(0), cancel);
        assertThat(transactions.isReplaced(transaction(0))).isTrue();
        assertThat(transactions.prepared(CHAIN, SENDER)).containsExactly(cancel, transaction(1));
        transactions.restoreReplacedBy(cancel);
        assertThat(transactions.isReplaced(transaction(0))).isFalse();
        transactions.move(cancel, TransactionState.ACCEPTED_ON_L2, "");
        transactions.endOthersOf(cancel);
        assertThat(transactions
                        .find("demo", CHAIN, transaction(0).hash())
                        .orElseThrow()
                        .state())
                .isEqualTo(TransactionState.REPLACED);
        assertThat(transactions.prepared(CHAIN, SENDER)).containsExactly(transaction(1));
    }

    @Test
    void aRefusedTransactionMayBePreparedAgain() {
        transactions.prepare(transaction(0));
        transactions.move(transaction(0), TransactionState.REJECTED, "no money");
        transactions.prepare(transaction(0));
        assertThat(transactions.prepared(CHAIN, SENDER)).hasSize(1);
        assertThatThrownBy(() -> transactions.prepare(transaction(0))).isInstanceOf(StateException.class);
    }

    private List<Long> held(Duration lag) {
        return transactions.holding(CHAIN, SENDER, 0, lag).stream()
                .map(StoredTransaction::nonce)
                .toList();
    }

    @Test
    void noncesOfWhatIsUnderWayOrNewCountAndThoseOfWhatWasRefusedDoNot() {
        Duration lag = Duration.ofMinutes(10);
        assertThat(held(lag)).isEmpty();
        transactions.prepare(transaction(0));
        assertThat(held(lag)).containsExactly(0L);
        transactions.prepare(transaction(1));
        transactions.move(transaction(1), TransactionState.REJECTED, "no");
        assertThat(held(lag)).containsExactly(0L);
        transactions.move(transaction(0), TransactionState.ACCEPTED_ON_L2, "");
        assertThat(held(lag)).containsExactly(0L);
        now = now.plus(Duration.ofMinutes(11));
        assertThat(held(lag)).isEmpty();
    }

    @Test
    void onlyOldAndSettledTransactionsAreForgotten() {
        transactions.prepare(transaction(0));
        transactions.prepare(transaction(1));
        transactions.move(transaction(0), TransactionState.ACCEPTED_ON_L2, "");
        transactions.forgetSettledBefore(now);
        assertThat(stored()).hasSize(2);
        transactions.forgetSettledBefore(now.plusMillis(1));
        assertThat(only().nonce()).isEqualTo(1);
        assertThat(transactions.countUnsettled()).isEqualTo(1);
    }

    @Test
    void aLaterLookDoesNotForgetADeploymentAndARefusalDoes() {
        accounts.put(account(Felt.of(9), Felt.of(8)));
        accounts.put(account(Felt.ZERO, Felt.ZERO));
        assertThat(accounts.find("demo", CHAIN, SENDER).orElseThrow().deployHash())
                .isEqualTo(Felt.of(8));
        accounts.forgetDeployment(CHAIN, SENDER, Felt.of(8));
        assertThat(accounts.find("demo", CHAIN, SENDER).orElseThrow().isInitialised())
                .isFalse();
    }
}
