package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The transactions: those that hold the nonces of their senders, those that take the places of others, and those that are settled.
 * Thread-safe; blocks.
 */
public record TransactionTable(WalletDatabase database, InstantSource clock) {
    /** The condition of transactions of which the network may still say something new. */
    static final String UNSETTLED = "state IN ('PREPARED', 'RECEIVED', 'PENDING')";

    private static final String THIS = "chain_id = :chainId AND hash = :hash";
    private static final int MAX_REFUSED = 10;

    /** Stores a transaction that is about to be sent. */
    public void prepare(StoredTransaction transaction) {
        insert(database, transaction);
    }

    /** Stores the transaction that deploys an account, and the account with it. */
    public void prepareDeployment(StoredTransaction transaction, StoredAccount account) {
        database.inTransaction(() -> {
            prepare(transaction);
            new AccountTable(database).put(account);
        });
    }

    /** Stores a transaction with the nonce of another, which is given to no node any more. */
    public void prepareInPlaceOf(StoredTransaction replaced, StoredTransaction transaction) {
        database.inTransaction(() -> {
            prepare(transaction);
            database.change("""
                    UPDATE account_transaction SET replaced_by = :by
                    WHERE chain_id = :chainId AND sender = :sender AND nonce = :nonce AND hash <> :by
                    """, replaced, Map.of("by", transaction.hash()));
        });
    }

    /** Whether another transaction takes the place of this one. */
    public boolean isReplaced(StoredTransaction transaction) {
        return has(database, THIS + " AND replaced_by <> ''", transaction);
    }

    /** Gives a replaced transaction back its place, because the one in its place was refused. */
    public void restoreReplacedBy(StoredTransaction transaction) {
        database.change("""
                UPDATE account_transaction SET replaced_by = '' WHERE chain_id = :chainId AND replaced_by = :hash
                """, transaction);
    }

    /** Ends the others with the nonce of a transaction that is in a block, also one that was in a block of an earlier chain. */
    public void endOthersOf(StoredTransaction transaction) {
        String reason = "the transaction " + transaction.hash().toPaddedHex() + " has its nonce";
        String sql = """
                UPDATE account_transaction SET state = 'REPLACED', failure_reason = :reason, changed_millis = :now
                WHERE chain_id = :chainId AND sender = :sender AND nonce = :nonce AND hash <> :hash
                    AND (state = 'ACCEPTED_ON_L2' OR""" + " " + UNSETTLED + ")";
        database.change(sql, transaction, Map.of("reason", reason, "now", clock.instant()));
    }

    /** Notes that a transaction is given to a node now. Returns false if it is archived, ended or replaced since it was read. */
    public boolean markSent(StoredTransaction transaction) {
        String same = "(state = :state OR " + UNSETTLED + ") AND created_millis = :created AND replaced_by = ''";
        return set(transaction, "sent_millis = :now", same, Map.of()) > 0;
    }

    /** Notes that the network does not know a refused transaction, whose nonce another one used. */
    public void forgetRefused(StoredTransaction transaction) {
        set(transaction, "sent_millis = 0");
    }

    /** Notes that the network was asked for a transaction and said nothing new. */
    public void touch(StoredTransaction transaction) {
        set(transaction, "changed_millis = :now");
    }

    private void set(StoredTransaction transaction, String change) {
        set(transaction, change, "true", Map.of());
    }

    private int set(StoredTransaction transaction, String change, String condition, Map<String, ?> values) {
        String sql = "UPDATE account_transaction SET " + change + " WHERE " + THIS + " AND " + condition;
        return database.change(sql, transaction, Map.of("now", clock.instant()), values);
    }

    /**
     * Moves a transaction on. One in a block stays there, and what the network refused is moved only where the network has it
     * after all.
     */
    public void move(StoredTransaction transaction, TransactionState state, String failureReason) {
        boolean known = state != TransactionState.PREPARED && state != TransactionState.REJECTED;
        String movable =
                known ? "state <> 'ACCEPTED_ON_L2'" : "state NOT IN ('ACCEPTED_ON_L2', 'REJECTED', 'REPLACED')";
        String change = "state = :state, failure_reason = :reason, changed_millis = :now";
        set(transaction, change, movable, Map.of("state", state, "reason", failureReason));
    }

    /** Moves a transaction out of its block, because the network does not know it any more. */
    public void reopen(StoredTransaction transaction) {
        String change = "state = 'RECEIVED', failure_reason = '', changed_millis = :now, sent_millis = :now";
        set(transaction, change, "state = 'ACCEPTED_ON_L2'", Map.of());
    }

    /** One transaction of a tenant. */
    public Optional<StoredTransaction> find(String tenant, Felt chainId, Felt hash) {
        return first("tenant = ? AND chain_id = ? AND hash = ?", tenant, chainId, hash);
    }

    /** The transaction that was signed for a part of an approval, or nothing. */
    public Optional<StoredTransaction> ofApproval(String approval, int part) {
        return first("approval = ? AND part = ?", approval, part);
    }

    private Optional<StoredTransaction> first(String condition, Object... values) {
        return select(database, condition, values).stream().findFirst();
    }

    /** The transactions that were signed for an approval, the deployment first. */
    public List<StoredTransaction> ofApproval(String approval) {
        return select(database, "approval = ? ORDER BY part", approval);
    }

    /** Transactions of a sender of which it is not known whether a node has them, by nonce, but for replaced ones. */
    public List<StoredTransaction> prepared(Felt chainId, Felt sender) {
        String condition =
                "chain_id = ? AND sender = ? AND state = 'PREPARED' AND replaced_by = '' ORDER BY nonce, number";
        return select(database, condition, chainId, sender);
    }

    /** Transactions that are not settled, those looked at longest ago first. */
    public List<StoredTransaction> unsettled(int limit) {
        return select(database, UNSETTLED + " ORDER BY changed_millis, number LIMIT ?", limit);
    }

    /** How many are not settled. */
    public long countUnsettled() {
        String sql = "SELECT COUNT(*) FROM account_transaction WHERE " + UNSETTLED;
        return database.first(Long.class, sql).orElseThrow();
    }

    /**
     * Returns the transactions of a sender that hold their nonces, from a nonce on, by nonce: those on their way, and those in
     * recent blocks, which a node that lags behind does not know yet.
     */
    public List<StoredTransaction> holding(Felt chainId, Felt sender, long from, Duration lag) {
        String condition = "chain_id = ? AND sender = ? AND nonce >= ? AND (" + UNSETTLED
                + " OR (state = 'ACCEPTED_ON_L2' AND changed_millis > ? AND body <> '')) ORDER BY nonce, number";
        Instant since = clock.instant().minus(lag);
        return select(database, condition, chainId, sender, from, since);
    }

    /** Whether a sender has a transaction here that is on its way, or in a recent block. */
    public boolean isActive(Felt chainId, Felt sender, Duration lag) {
        return !holding(chainId, sender, 0, lag).isEmpty();
    }

    /** Transactions of a sender below a nonce that the network refused a short time ago. */
    public List<StoredTransaction> refusedBelow(Felt chainId, Felt sender, long nonce, Duration time) {
        String condition = "chain_id = ? AND sender = ? AND nonce < ? AND state = 'REJECTED' AND sent_millis > ?"
                + " ORDER BY nonce, number LIMIT " + MAX_REFUSED;
        Instant since = clock.instant().minus(time);
        return select(database, condition, chainId, sender, nonce, since);
    }

    /**
     * Returns the transactions that a person may replace: those on their way, and those that were refused and whose free nonce
     * holds up later ones.
     */
    public List<StoredTransaction> replaceable(int limit) {
        return database.list(StoredTransaction.class, """
                SELECT * FROM account_transaction AS one
                WHERE (state IN ('PREPARED', 'RECEIVED', 'PENDING') AND replaced_by = '')
                    OR (state = 'REJECTED'
                        AND EXISTS (SELECT 1 FROM account_transaction AS later
                            WHERE later.chain_id = one.chain_id AND later.sender = one.sender AND later.nonce > one.nonce
                                AND later.state IN ('PREPARED', 'RECEIVED', 'PENDING'))
                        AND NOT EXISTS (SELECT 1 FROM account_transaction AS same
                            WHERE same.chain_id = one.chain_id AND same.sender = one.sender AND same.nonce = one.nonce
                                AND same.state NOT IN ('REJECTED', 'REPLACED')))
                ORDER BY sender, nonce, number LIMIT ?
                """, limit);
    }

    /** Whether a transaction was given to a node within this time. */
    public boolean wasSentWithin(StoredTransaction transaction, Duration time) {
        return isWithin("sent_millis", transaction, time);
    }

    /** Whether the network was asked for a transaction, or told something of it, within this time. */
    public boolean wasLookedAtWithin(StoredTransaction transaction, Duration time) {
        return isWithin("changed_millis", transaction, time);
    }

    private boolean isWithin(String column, StoredTransaction transaction, Duration time) {
        Map<String, ?> since = Map.of("since", clock.instant().minus(time));
        return has(database, THIS + " AND " + column + " > :since", transaction, since);
    }

    /** Forgets what is settled and was made before. */
    public void forgetSettledBefore(Instant before) {
        database.change("DELETE FROM account_transaction WHERE NOT " + UNSETTLED + " AND created_millis < ?", before);
    }

    /** Reads the rows of a condition. */
    static List<StoredTransaction> select(WalletDatabase database, String condition, Object... values) {
        return database.list(StoredTransaction.class, "SELECT * FROM account_transaction WHERE " + condition, values);
    }

    /** Returns whether any row meets a condition. */
    static boolean has(WalletDatabase database, String condition, Object... values) {
        String sql = "SELECT EXISTS (SELECT 1 FROM account_transaction WHERE " + condition + ")";
        return database.first(Boolean.class, sql, values).orElseThrow();
    }

    /** The same transaction may come again after the network refused it, when there is money for it, say. */
    static void insert(WalletDatabase database, StoredTransaction transaction) {
        database.inTransaction(() -> {
            database.change("DELETE FROM account_transaction WHERE " + THIS + " AND state = 'REJECTED'", transaction);
            database.change("""
                    INSERT INTO account_transaction (tenant, chain_id, hash, type, sender, nonce, calls, max_fee, body, state,
                        failure_reason, created_millis, sent_millis, changed_millis, approval, part)
                    VALUES (:tenant, :chainId, :hash, :type, :sender, :nonce, :calls, :maxFee, :body, :state,
                        :failureReason, :created, 0, :created, :approval.id, :approval.part)
                    """, transaction);
        });
    }
}
