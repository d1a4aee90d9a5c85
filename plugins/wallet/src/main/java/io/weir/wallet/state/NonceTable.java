package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** The nonces of senders: the transactions that hold them, and those that take the places of others. Thread-safe; blocks. */
public record NonceTable(WalletDatabase database, InstantSource clock) {
    private static final int MAX_REFUSED = 10;

    /** Moves a transaction out of its block, because the network does not know it any more. */
    public void reopen(StoredTransaction transaction) {
        database.update(
                "UPDATE account_transaction SET state = 'RECEIVED', failure_reason = '', changed_millis = ?,"
                        + " sent_millis = ? WHERE chain_id = ? AND hash = ? AND state = 'ACCEPTED_ON_L2'",
                clock.millis(),
                clock.millis(),
                transaction.chainId(),
                transaction.hash());
    }

    /** Stores a transaction with the nonce of another, which is given to no node any more. */
    public void prepareInPlaceOf(StoredTransaction replaced, StoredTransaction transaction) {
        database.inTransaction(connection -> {
            TransactionTable.insert(connection, transaction);
            WalletDatabase.change(
                    connection,
                    "UPDATE account_transaction SET replaced_by = ? WHERE chain_id = ? AND sender = ? AND nonce = ?"
                            + " AND hash <> ?",
                    transaction.hash(),
                    replaced.chainId(),
                    replaced.sender(),
                    replaced.nonce(),
                    transaction.hash());
        });
    }

    /** Whether another transaction takes the place of this one. */
    public boolean isReplaced(StoredTransaction transaction) {
        return TransactionTable.has(
                database,
                "WHERE chain_id = ? AND hash = ? AND replaced_by <> ''",
                transaction.chainId(),
                transaction.hash());
    }

    /** Ends the others with the nonce of a transaction that is in a block: they can never be carried out. */
    public void endOthersOf(StoredTransaction transaction) {
        database.update(
                "UPDATE account_transaction SET state = 'REPLACED', failure_reason = ?, changed_millis = ?"
                        + " WHERE chain_id = ? AND sender = ? AND nonce = ? AND hash <> ?"
                        + " AND state IN ('PREPARED', 'RECEIVED', 'PENDING')",
                "the transaction " + transaction.hash().toPaddedHex() + " has its nonce",
                clock.millis(),
                transaction.chainId(),
                transaction.sender(),
                transaction.nonce(),
                transaction.hash());
    }

    /** Gives a replaced transaction back its place, because the one in its place was refused. */
    public void restoreReplacedBy(StoredTransaction transaction) {
        database.update(
                "UPDATE account_transaction SET replaced_by = '' WHERE chain_id = ? AND replaced_by = ?",
                transaction.chainId(),
                transaction.hash());
    }

    /**
     * Returns the transactions of a sender that hold their nonces, from a nonce on, by nonce: those on their way, and those in
     * recent blocks, which a node that lags behind does not know yet.
     */
    public List<StoredTransaction> holding(Felt chainId, Felt sender, long from, Duration lag) {
        return TransactionTable.select(
                database,
                "WHERE chain_id = ? AND sender = ? AND nonce >= ? AND (" + TransactionTable.UNSETTLED
                        + " OR (state = 'ACCEPTED_ON_L2' AND changed_millis > ? AND body <> '')) ORDER BY nonce, number",
                chainId,
                sender,
                from,
                clock.millis() - lag.toMillis());
    }

    /** Transactions of a sender below a nonce that the network refused a short time ago. */
    public List<StoredTransaction> refusedBelow(Felt chainId, Felt sender, long nonce, Duration time) {
        return TransactionTable.select(
                database,
                "WHERE chain_id = ? AND sender = ? AND nonce < ? AND state = 'REJECTED' AND sent_millis > ?"
                        + " ORDER BY nonce, number LIMIT " + MAX_REFUSED,
                chainId,
                sender,
                nonce,
                clock.millis() - time.toMillis());
    }

    /** Notes that the network does not know a refused transaction, whose nonce another one used. */
    public void forgetRefused(StoredTransaction transaction) {
        TransactionTable.setTime(database, "sent_millis", 0, transaction);
    }

    /**
     * Returns the transactions that a person may replace: those on their way, and those that were refused and whose free nonce
     * holds up later ones.
     */
    public List<StoredTransaction> replaceable(int limit) {
        return TransactionTable.select(
                database,
                "WHERE (" + TransactionTable.UNSETTLED
                        + " AND replaced_by = '') OR (state = 'REJECTED' AND EXISTS (SELECT 1 FROM"
                        + " account_transaction AS later WHERE later.chain_id = account_transaction.chain_id"
                        + " AND later.sender = account_transaction.sender AND later.nonce > account_transaction.nonce"
                        + " AND later.state IN ('PREPARED', 'RECEIVED', 'PENDING'))"
                        + " AND NOT EXISTS (SELECT 1 FROM account_transaction AS same"
                        + " WHERE same.chain_id = account_transaction.chain_id"
                        + " AND same.sender = account_transaction.sender AND same.nonce = account_transaction.nonce"
                        + " AND same.state NOT IN ('REJECTED', 'REPLACED')))"
                        + " ORDER BY sender, nonce, number LIMIT ?",
                limit);
    }

    /** Whether a sender has a transaction here that is on its way, or in a recent block. */
    public boolean isActive(Felt chainId, Felt sender, Duration lag) {
        return !holding(chainId, sender, 0, lag).isEmpty();
    }
}
