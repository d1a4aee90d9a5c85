package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The chains as this wallet knew them last. Thread-safe; blocks. */
public record ChainTable(WalletDatabase database, InstantSource clock) {
    private static final int SAMPLE = 5;
    private static final int MAX_RECENT = 200;

    /** Returns the hashes of the blocks of a chain that are remembered, by their numbers. */
    public Map<Long, Felt> blocks(Felt chainId) {
        Map<Long, Felt> blocks = new TreeMap<>();
        database.query(
                        row -> Map.entry(row.number("number"), row.felt("hash")),
                        "SELECT number, hash FROM chain_block WHERE chain_id = ?",
                        chainId)
                .forEach(block -> blocks.put(block.getKey(), block.getValue()));
        return blocks;
    }

    /** Remembers a block of a chain for good. */
    public void keepBlock(Felt chainId, long number, Felt hash) {
        database.inTransaction(connection -> insert(connection, chainId, number, hash));
    }

    /** Remembers a block of a chain in place of all with higher numbers than another. */
    public void replaceBlocksAbove(long kept, Felt chainId, long number, Felt hash) {
        database.inTransaction(connection -> {
            WalletDatabase.change(
                    connection, "DELETE FROM chain_block WHERE chain_id = ? AND number > ?", chainId, kept);
            insert(connection, chainId, number, hash);
        });
    }

    private static void insert(Connection connection, Felt chainId, long number, Felt hash) throws SQLException {
        WalletDatabase.change(connection, "INSERT OR REPLACE INTO chain_block VALUES (?, ?, ?)", chainId, number, hash);
    }

    /** Returns a few transactions that were in blocks of the chain at least this long ago, the newest first. */
    public List<StoredTransaction> settled(Felt chainId, Duration age) {
        return TransactionTable.select(
                database,
                "WHERE chain_id = ? AND state = 'ACCEPTED_ON_L2' AND changed_millis <= ?"
                        + " ORDER BY number DESC LIMIT " + SAMPLE,
                chainId,
                clock.millis() - age.toMillis());
    }

    /** Returns whether the outcome of a transaction is open that was signed within a time. */
    public boolean hasOpen(Felt chainId, Duration time) {
        return TransactionTable.has(
                database,
                "WHERE chain_id = ? AND state IN ('PREPARED', 'RECEIVED', 'PENDING') AND created_millis > ?",
                chainId,
                clock.millis() - time.toMillis());
    }

    /** Returns the newest transactions of a chain that were given to a node within a time. */
    public List<StoredTransaction> sentWithin(Felt chainId, Duration time) {
        return TransactionTable.select(
                database,
                "WHERE chain_id = ? AND sent_millis > ? ORDER BY number DESC LIMIT " + MAX_RECENT,
                chainId,
                clock.millis() - time.toMillis());
    }

    /**
     * Puts away everything that was on a chain which began anew: its transactions go to the archive, its accounts are not deployed,
     * and its requests and blocks are forgotten.
     *
     * @param kept transactions that are on the new chain: they and their requests stay
     */
    public void archive(Felt chainId, List<StoredTransaction> kept) {
        Object[] values = Stream.concat(Stream.of(chainId), kept.stream().map(StoredTransaction::hash))
                .toArray();
        String marks = String.join(",", Collections.nCopies(kept.size(), "?"));
        String old = " WHERE chain_id = ? AND hash NOT IN (" + marks + ")";
        database.inTransaction(connection -> {
            WalletDatabase.change(
                    connection,
                    "INSERT INTO archived_transaction (archived_millis, tenant, chain_id, hash, sender, nonce, body, state,"
                            + " approval, created_millis) SELECT " + clock.millis()
                            + ", tenant, chain_id, hash, sender,"
                            + " nonce, body, state, approval, created_millis FROM account_transaction" + old,
                    values);
            WalletDatabase.change(connection, "DELETE FROM account_transaction" + old, values);
            WalletDatabase.change(
                    connection,
                    "UPDATE account SET deploy_hash = '0x0', public_key = '0x0' WHERE chain_id = ?"
                            + " AND deploy_hash NOT IN (" + marks + ")",
                    values);
            WalletDatabase.change(
                    connection,
                    "UPDATE request SET request_id = NULL WHERE chain_id = ? AND state NOT IN ('WAITING', 'APPROVED')"
                            + " AND approval NOT IN (SELECT approval FROM account_transaction)",
                    chainId);
            // The decisions of persons stay as what they were.
            WalletDatabase.change(
                    connection,
                    "DELETE FROM request WHERE chain_id = ? AND request_id IS NULL AND decided_by IS NULL",
                    chainId);
            WalletDatabase.change(connection, "DELETE FROM chain_block WHERE chain_id = ?", chainId);
            WalletDatabase.change(connection, "DELETE FROM searched_blocks WHERE chain_id = ?", chainId);
        });
    }
}
