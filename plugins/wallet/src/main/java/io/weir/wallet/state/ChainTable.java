package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The chains as this wallet knew them last. Thread-safe; blocks. */
public final class ChainTable {
    private static final int SAMPLE = 5;
    private static final int MAX_RECENT = 200;

    private final WalletDatabase database;
    private final InstantSource clock;

    public ChainTable(WalletDatabase database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Returns the hashes of the blocks of a chain that are remembered, by their numbers. */
    public Map<Long, Felt> blocks(Felt chainId) {
        return database.get(connection -> {
            Map<Long, Felt> blocks = new TreeMap<>();
            try (PreparedStatement statement = TransactionRows.prepared(
                            connection, "SELECT number, hash FROM chain_block WHERE chain_id = ?", chainId.toHex());
                    ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    blocks.put(row.getLong(1), Felt.parseHex(row.getString(2)));
                }
            }
            return blocks;
        });
    }

    /** Remembers a block of a chain for good. */
    public void keepBlock(Felt chainId, long number, Felt hash) {
        database.inTransaction(connection -> insert(connection, chainId, number, hash));
    }

    /** Remembers a block of a chain in place of all with higher numbers than another. */
    public void replaceBlocksAbove(long kept, Felt chainId, long number, Felt hash) {
        database.inTransaction(connection -> {
            run(connection, "DELETE FROM chain_block WHERE chain_id = ? AND number > ?", chainId.toHex(), kept);
            insert(connection, chainId, number, hash);
        });
    }

    private static void insert(Connection connection, Felt chainId, long number, Felt hash) throws SQLException {
        run(connection, "INSERT OR REPLACE INTO chain_block VALUES (?, ?, ?)", chainId.toHex(), number, hash.toHex());
    }

    /** Returns a few transactions that were in blocks of the chain at least this long ago, the newest first. */
    public List<StoredTransaction> settled(Felt chainId, Duration age) {
        return new TransactionRows(database)
                .select(
                        "WHERE chain_id = ? AND state = 'ACCEPTED_ON_L2' AND changed_millis <= ?"
                                + " ORDER BY number DESC LIMIT " + SAMPLE,
                        chainId.toHex(),
                        clock.millis() - age.toMillis());
    }

    /** Returns whether the outcome of a transaction is open that was signed within a time. */
    public boolean hasOpen(Felt chainId, Duration time) {
        return !new TransactionRows(database)
                .select(
                        "WHERE chain_id = ? AND state IN ('PREPARED', 'RECEIVED', 'PENDING') AND created_millis > ? LIMIT 1",
                        chainId.toHex(),
                        clock.millis() - time.toMillis())
                .isEmpty();
    }

    /** Returns the newest transactions of a chain that were given to a node within a time. */
    public List<StoredTransaction> sentWithin(Felt chainId, Duration time) {
        return new TransactionRows(database)
                .select(
                        "WHERE chain_id = ? AND sent_millis > ? ORDER BY number DESC LIMIT " + MAX_RECENT,
                        chainId.toHex(),
                        clock.millis() - time.toMillis());
    }

    /**
     * Puts away everything that was on a chain which began anew: its transactions go to the archive, its accounts are not deployed,
     * and its requests and blocks are forgotten.
     *
     * @param kept transactions that are on the new chain: they and their requests stay
     */
    public void archive(Felt chainId, List<StoredTransaction> kept) {
        String id = chainId.toHex();
        Object[] values = Stream.concat(
                        Stream.of(id), kept.stream().map(one -> one.hash().toHex()))
                .toArray();
        String marks = String.join(",", Collections.nCopies(kept.size(), "?"));
        String old = " WHERE chain_id = ? AND hash NOT IN (" + marks + ")";
        database.inTransaction(connection -> {
            run(
                    connection,
                    "INSERT INTO archived_transaction (archived_millis, tenant, chain_id, hash, sender, nonce, body, state,"
                            + " approval, created_millis) SELECT " + clock.millis()
                            + ", tenant, chain_id, hash, sender,"
                            + " nonce, body, state, approval, created_millis FROM account_transaction" + old,
                    values);
            run(connection, "DELETE FROM account_transaction" + old, values);
            run(
                    connection,
                    "UPDATE account SET deploy_hash = '0x0', public_key = '0x0' WHERE chain_id = ?"
                            + " AND deploy_hash NOT IN (" + marks + ")",
                    values);
            run(
                    connection,
                    "DELETE FROM request WHERE chain_id = ? AND state NOT IN ('WAITING', 'APPROVED')"
                            + " AND approval NOT IN (SELECT approval FROM account_transaction)",
                    id);
            run(connection, "DELETE FROM chain_block WHERE chain_id = ?", id);
            run(connection, "DELETE FROM searched_blocks WHERE chain_id = ?", id);
        });
    }

    private static void run(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = TransactionRows.prepared(connection, sql, values)) {
            statement.executeUpdate();
        }
    }
}
