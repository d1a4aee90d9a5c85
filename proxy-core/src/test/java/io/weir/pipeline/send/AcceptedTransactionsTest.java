package io.weir.pipeline.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.ethereum.Address;
import io.weir.ethereum.Hash32;
import io.weir.ethereum.transaction.Transaction;
import io.weir.ethereum.transaction.TransactionType;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class AcceptedTransactionsTest {

    private static final Address SENDER =
            SignedTransactions.payment(TransactionType.LEGACY, 0).sender();

    private long now = 7;
    private AcceptedTransactions accepted = new AcceptedTransactions(() -> now);

    private Hash32 add(TransactionType type, long nonce) {
        Transaction transaction = SignedTransactions.payment(type, nonce);
        accepted.add(transaction, transaction.hash(), "a", 0);
        return transaction.hash();
    }

    private Hash32 add(long nonce) {
        return add(TransactionType.DYNAMIC_FEE, nonce);
    }

    @Test
    void theNextNonceFollowsTheAcceptedOnesUpToAGap() {
        add(3);
        add(4);
        add(6);
        assertThat(accepted.nextNonce(SENDER, 3)).isEqualTo(5);
        assertThat(accepted.nextNonce(SENDER, 4)).isEqualTo(5);
        assertThat(accepted.nextNonce(SENDER, 5)).isEqualTo(5);
        assertThat(accepted.nextNonce(SENDER, 6)).isEqualTo(7);
        assertThat(accepted.nextNonce(SENDER, 2)).isEqualTo(2);
        assertThat(accepted.nextNonce(Address.ZERO, 3)).isEqualTo(3);
    }

    @Test
    void oneWithTheSameNonceReplacesTheOlder() {
        Hash32 older = add(TransactionType.LEGACY, 3);
        Hash32 newer = add(TransactionType.DYNAMIC_FEE, 3);
        assertThat(accepted.find(older)).isNull();
        assertThat(accepted.find(newer)).isNotNull();
        assertThat(accepted.nextNonce(SENDER, 3)).isEqualTo(4);
    }

    @Test
    void aRemovedOneCountsNoMore() {
        Hash32 hash = add(3);
        accepted.remove(hash);
        assertThat(accepted.find(hash)).isNull();
        assertThat(accepted.nextNonce(SENDER, 3)).isEqualTo(3);
        assertThat(accepted.isEmpty()).isTrue();
    }

    @Test
    void afterAllLeftNewOnesCountAsBefore() {
        add(3);
        accepted.clear();
        assertThat(accepted.isEmpty()).isTrue();
        assertThat(accepted.nextNonce(SENDER, 3)).isEqualTo(3);
        add(3);
        assertThat(accepted.nextNonce(SENDER, 3)).isEqualTo(4);
    }

    @Test
    void oneThatIsSentAgainKeepsItsBlockAndGetsNewTime() {
        Hash32 hash = add(3);
        accepted.mined(hash, 12);
        now += AcceptedTransactions.MAX_AGE_NANOS - 1;
        add(3);
        now += 1;
        assertThat(Objects.requireNonNull(accepted.find(hash)).block()).isEqualTo(12);
    }

    @Test
    void eachLeavesAfterItsTime() {
        Hash32 first = add(3);
        now += 5;
        Hash32 second = add(4);
        now += AcceptedTransactions.MAX_AGE_NANOS - 5;
        assertThat(accepted.find(first)).isNull();
        assertThat(accepted.find(second)).isNotNull();
        assertThat(accepted.nextNonce(SENDER, 3)).isEqualTo(3);
        now += 5;
        assertThat(accepted.nextNonce(SENDER, 4)).isEqualTo(4);
        assertThat(accepted.isEmpty()).isTrue();
    }

    @Test
    void oneThatAnotherProxySentLeavesAfterTheSameTime() {
        Hash32 own = add(3);
        Transaction transaction = SignedTransactions.payment(TransactionType.LEGACY, 4);
        accepted.add(transaction, transaction.hash(), "", AcceptedTransactions.MAX_AGE_NANOS - 5);
        assertThat(accepted.find(transaction.hash())).isNotNull();
        assertThat(accepted.nextNonce(SENDER, 3)).isEqualTo(5);
        now += 5;
        assertThat(accepted.find(transaction.hash())).isNull();
        assertThat(accepted.nextNonce(SENDER, 3)).isEqualTo(4);
        assertThat(accepted.find(own)).isNotNull();
    }

    @Test
    void theOldestLeavesIfThereAreTooMany() {
        accepted = new AcceptedTransactions(() -> now, 2, Long.MAX_VALUE);
        Hash32 first = add(3);
        Hash32 second = add(4);
        Hash32 third = add(5);
        assertThat(accepted.find(first)).isNull();
        assertThat(accepted.find(second)).isNotNull();
        assertThat(accepted.find(third)).isNotNull();
    }

    @Test
    void theOldestLeavesIfTheyAreTooLarge() {
        long size = 1_000
                + 2 * SignedTransactions.payment(TransactionType.DYNAMIC_FEE, 3).encoded().length;
        accepted = new AcceptedTransactions(() -> now, 10, 2 * size);
        Hash32 first = add(3);
        Hash32 second = add(4);
        assertThat(accepted.find(first)).isNotNull();
        add(5);
        assertThat(accepted.find(first)).isNull();
        assertThat(accepted.find(second)).isNotNull();
        accepted = new AcceptedTransactions(() -> now, 10, 2 * size - 1);
        add(3);
        add(4);
        assertThat(accepted.find(first)).isNull();
        assertThat(accepted.find(second)).isNotNull();
    }
}
