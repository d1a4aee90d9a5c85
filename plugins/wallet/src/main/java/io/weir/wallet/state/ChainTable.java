package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The chains as this wallet knew them last. Thread-safe; blocks. */
public final class ChainTable {
    private static final int SAMPLE = 5;

    private final WalletDatabase database;
    private final InstantSource clock;

    public ChainTable(WalletDatabase database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Returns the hash of the chain's first block as it was last, or nothing. */
    public Optional<Felt> firstBlock(Felt chainId) {
        return database.get(connection -> {
            try (PreparedStatement statement = TransactionRows.prepared(
                            connection, "SELECT first_block FROM chain WHERE chain_id = ?", chainId.toHex());
                    ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(Felt.parseHex(row.getString(1))) : Optional.empty();
            }
        });
    }

    /** Stores the hash of the chain's first block. */
    public void keepFirstBlock(Felt chainId, Felt hash) {
        database.inTransaction(connection -> keep(connection, chainId, hash));
    }

    private static void keep(Connection connection, Felt chainId, Felt hash) throws SQLException {
        run(connection, "INSERT OR REPLACE INTO chain VALUES (?, ?)", chainId.toHex(), hash.toHex());
    }

    /** Returns a few transactions that were in blocks of the chain some time ago, the newest first. */
    public List<StoredTransaction> settledLongAgo(Felt chainId, Duration age) {
        return new TransactionRows(database)
                .select(
                        "WHERE chain_id = ? AND state = 'ACCEPTED_ON_L2' AND changed_millis < ?"
                                + " ORDER BY number DESC LIMIT " + SAMPLE,
                        chainId.toHex(),
                        clock.millis() - age.toMillis());
    }

    /**
     * Puts away everything that was on a chain which began anew: its transactions go to the archive, its accounts are not deployed,
     * and its requests are forgotten.
     *
     * @param firstBlock the hash of the new first block; 0 where it is not known
     */
    public void archive(Felt chainId, Felt firstBlock) {
        database.inTransaction(connection -> {
            String id = chainId.toHex();
            run(
                    connection,
                    "INSERT INTO archived_transaction (archived_millis, tenant, chain_id, hash, sender, nonce, body, state,"
                            + " approval, created_millis) SELECT ?, tenant, chain_id, hash, sender, nonce, body, state,"
                            + " approval, created_millis FROM account_transaction WHERE chain_id = ?",
                    clock.millis(),
                    id);
            run(connection, "DELETE FROM account_transaction WHERE chain_id = ?", id);
            run(connection, "UPDATE account SET deploy_hash = '0x0', public_key = '0x0' WHERE chain_id = ?", id);
            run(connection, "DELETE FROM request WHERE chain_id = ? AND state NOT IN ('WAITING', 'APPROVED')", id);
            if (!firstBlock.isZero()) {
                keep(connection, chainId, firstBlock);
            }
        });
    }

    private static void run(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = TransactionRows.prepared(connection, sql, values)) {
            statement.executeUpdate();
        }
    }
}
