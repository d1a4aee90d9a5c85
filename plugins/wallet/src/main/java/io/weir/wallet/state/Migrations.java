package io.weir.wallet.state;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The versions of the tables: each step is applied once, in order, and never changed after it was released. Thread-safe. */
final class Migrations {
    private static final List<String> FIRST = List.of(
            """
            CREATE TABLE account (
              tenant TEXT NOT NULL,
              chain_id TEXT NOT NULL,
              address TEXT NOT NULL,
              kind TEXT NOT NULL,
              address_index INTEGER NOT NULL,
              address_salt TEXT NOT NULL,
              public_key TEXT NOT NULL,
              deploy_hash TEXT NOT NULL,
              upgrade_required INTEGER NOT NULL,
              deploy_required INTEGER NOT NULL,
              PRIMARY KEY (tenant, chain_id, address)
            ) STRICT
            """,
            """
            CREATE TABLE account_transaction (
              number INTEGER PRIMARY KEY,
              tenant TEXT NOT NULL,
              chain_id TEXT NOT NULL,
              hash TEXT NOT NULL,
              type TEXT NOT NULL,
              sender TEXT NOT NULL,
              nonce INTEGER NOT NULL,
              contract TEXT NOT NULL,
              function TEXT NOT NULL,
              calldata TEXT NOT NULL,
              max_fee TEXT NOT NULL,
              body TEXT NOT NULL,
              state TEXT NOT NULL,
              failure_reason TEXT NOT NULL,
              created_millis INTEGER NOT NULL,
              sent_millis INTEGER NOT NULL,
              changed_millis INTEGER NOT NULL,
              UNIQUE (chain_id, hash)
            ) STRICT
            """,
            "CREATE INDEX account_transaction_sender ON account_transaction (chain_id, sender, nonce)",
            "CREATE INDEX account_transaction_state ON account_transaction (state, changed_millis)");

    /** Requests; at most one transaction for each part of an approval; replacements; chains that began anew. */
    private static final List<String> SECOND = List.of(
            "ALTER TABLE account_transaction ADD COLUMN approval TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE account_transaction ADD COLUMN part INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE account_transaction ADD COLUMN replaced_by TEXT NOT NULL DEFAULT ''",
            "CREATE UNIQUE INDEX account_transaction_approval ON account_transaction (approval, part)"
                    + " WHERE approval <> ''",
            """
            CREATE TABLE request (
              tenant TEXT NOT NULL,
              request_id TEXT NOT NULL,
              approval TEXT NOT NULL UNIQUE,
              method TEXT NOT NULL,
              chain_id TEXT NOT NULL,
              fingerprint TEXT NOT NULL,
              state TEXT NOT NULL,
              result TEXT NOT NULL,
              error_code INTEGER NOT NULL,
              error_message TEXT NOT NULL,
              created_millis INTEGER NOT NULL,
              changed_millis INTEGER NOT NULL,
              PRIMARY KEY (tenant, request_id)
            ) STRICT
            """,
            """
            CREATE TABLE archived_transaction (
              number INTEGER PRIMARY KEY,
              archived_millis INTEGER NOT NULL,
              tenant TEXT NOT NULL,
              chain_id TEXT NOT NULL,
              hash TEXT NOT NULL,
              sender TEXT NOT NULL,
              nonce INTEGER NOT NULL,
              body TEXT NOT NULL,
              state TEXT NOT NULL,
              approval TEXT NOT NULL,
              created_millis INTEGER NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE chain (
              chain_id TEXT PRIMARY KEY,
              first_block TEXT NOT NULL
            ) STRICT
            """);

    /** Transactions of several calls: one column has all of them, as {@link CallsColumn} writes it. */
    private static final List<String> THIRD = List.of(
            "ALTER TABLE account_transaction ADD COLUMN calls TEXT NOT NULL DEFAULT ''",
            "UPDATE account_transaction SET calls ="
                    + " json_array(json_object('contract', contract, 'function', function, 'calldata', calldata))",
            "ALTER TABLE account_transaction DROP COLUMN contract",
            "ALTER TABLE account_transaction DROP COLUMN function",
            "ALTER TABLE account_transaction DROP COLUMN calldata");

    /** Several blocks of each chain; pages of an account's history, and how far the chain was searched for it. */
    private static final List<String> FIFTH = List.of(
            """
            CREATE TABLE chain_block (
              chain_id TEXT NOT NULL,
              number INTEGER NOT NULL,
              hash TEXT NOT NULL,
              PRIMARY KEY (chain_id, number)
            ) STRICT
            """,
            "INSERT INTO chain_block SELECT chain_id, 0, first_block FROM chain",
            "DROP TABLE chain",
            "CREATE INDEX account_transaction_history"
                    + " ON account_transaction (tenant, chain_id, sender, created_millis, number)",
            """
            CREATE TABLE searched_blocks (
              chain_id TEXT NOT NULL,
              account TEXT NOT NULL,
              lowest INTEGER NOT NULL,
              highest INTEGER NOT NULL,
              PRIMARY KEY (chain_id, account)
            ) STRICT
            """);

    private static final List<List<String>> STEPS = List.of(FIRST, SECOND, THIRD, DecisionTable.CREATE, FIFTH);

    private Migrations() {}

    static void apply(Connection connection) throws SQLException {
        int version = version(connection);
        if (version > STEPS.size()) {
            throw new StateException("the wallet's state: version " + version + " (expected: at most " + STEPS.size()
                    + "; a newer version of the plugin wrote it)");
        }
        try (Statement statement = connection.createStatement()) {
            for (List<String> step : STEPS.subList(version, STEPS.size())) {
                for (String sql : step) {
                    statement.execute(sql);
                }
            }
            statement.execute("PRAGMA user_version = " + STEPS.size());
        }
    }

    static int version(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA user_version")) {
            return row.next() ? row.getInt(1) : 0;
        }
    }
}
