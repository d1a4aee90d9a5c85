package io.weir.wallet.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.l2.Felt;
import io.weir.wallet.chain.BlockRange;
import io.weir.wallet.state.HistoryTable.Filter;
import io.weir.wallet.state.HistoryTable.Owner;
import io.weir.wallet.state.StoredTransaction.Approval;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTableTest {
    private static final Felt CHAIN = Felt.of(5);
    private static final Owner OWNER = new Owner("demo", CHAIN, Felt.of(77));
    private static final Instant START = Instant.parse("2026-01-10T00:00:00Z");
    private static final Filter ALL = new Filter(Instant.EPOCH, null, true);

    @TempDir
    Path folder;

    private WalletDatabase database;
    private HistoryTable table;

    @BeforeEach
    void open() {
        database = new WalletDatabase(folder.resolve("wallet.db"));
        database.open();
        table = new HistoryTable(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void add(int number, TransactionType type, Felt contract) {
        table.addFound(new StoredTransaction(
                OWNER.tenant(),
                CHAIN,
                Felt.of(10_000 + number),
                type,
                OWNER.account(),
                number,
                List.of(
                        new NamedCall(Felt.of(999), "approve", List.of()),
                        new NamedCall(contract, "transfer", List.of())),
                BigInteger.ONE,
                "",
                TransactionState.ACCEPTED_ON_L2,
                "",
                // Several are of the same time.
                START.plusSeconds(number / 3),
                Approval.NONE));
    }

    private List<Long> numbers(Filter filter, int size) {
        List<Long> numbers = new ArrayList<>();
        @Nullable Felt cursor = null;
        while (true) {
            List<StoredTransaction> page = table.page(OWNER, filter, cursor, size);
            page.forEach(one -> numbers.add(one.nonce()));
            if (page.size() < size) {
                return numbers;
            }
            cursor = page.get(page.size() - 1).hash();
        }
    }

    @Test
    void pagesGoDownToTheOldestOfThousands() {
        for (int number = 0; number < 1200; number++) {
            add(number, TransactionType.INVOKE, Felt.of(number % 400));
        }
        List<Long> numbers = numbers(ALL, 50);
        assertThat(numbers).hasSize(1200).isSortedAccordingTo((one, other) -> Long.compare(other, one));
        assertThat(numbers(new Filter(Instant.EPOCH, Felt.of(7), true), 2)).containsExactly(807L, 407L, 7L);
    }

    @Test
    void aDeploymentIsShownOnRequestHoweverOldItIs() {
        add(0, TransactionType.DEPLOY_ACCOUNT, OWNER.account());
        add(1, TransactionType.INVOKE, Felt.of(1));
        add(9, TransactionType.INVOKE, Felt.of(1));
        Instant since = START.plusSeconds(2);
        assertThat(numbers(new Filter(since, null, false), 10)).containsExactly(9L);
        assertThat(numbers(new Filter(since, null, true), 10)).containsExactly(9L, 0L);
        assertThat(table.page(new Owner("other", CHAIN, OWNER.account()), ALL, null, 10))
                .isEmpty();
    }

    @Test
    void searchedBlocksAreKeptForEachAccount() {
        assertThat(table.searched(CHAIN, OWNER.account())).isEmpty();
        table.keepSearched(CHAIN, OWNER.account(), new BlockRange(5, 9));
        table.keepSearched(CHAIN, OWNER.account(), new BlockRange(3, 12));
        assertThat(table.searched(CHAIN, OWNER.account())).contains(new BlockRange(3, 12));
        assertThat(table.searched(CHAIN, Felt.of(1))).isEmpty();
    }
}
