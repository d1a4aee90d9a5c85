package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The accounts. Thread-safe; blocks. */
public final class AccountTable {
    private static final String COLUMNS = "tenant, chain_id, address, kind, address_index, address_salt, public_key,"
            + " deploy_hash, upgrade_required, deploy_required";
    /** A known deployment stays known, even if a later look does not find it. */
    private static final String PUT = "INSERT INTO account (" + COLUMNS + ") VALUES (?,?,?,?,?,?,?,?,?,?)"
            + " ON CONFLICT (tenant, chain_id, address) DO UPDATE SET"
            + " kind = excluded.kind, address_index = excluded.address_index, address_salt = excluded.address_salt,"
            + " public_key = excluded.public_key, upgrade_required = excluded.upgrade_required,"
            + " deploy_required = excluded.deploy_required,"
            + " deploy_hash = CASE excluded.deploy_hash WHEN '0x0' THEN deploy_hash ELSE excluded.deploy_hash END";

    private final WalletDatabase database;

    public AccountTable(WalletDatabase database) {
        this.database = database;
    }

    /** Stores an account, over what is stored of it. */
    public void put(StoredAccount account) {
        database.inTransaction(connection -> put(connection, account));
    }

    static void put(Connection connection, StoredAccount account) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PUT)) {
            fill(statement, account);
        }
    }

    private static void fill(PreparedStatement statement, StoredAccount account) throws SQLException {
        statement.setString(1, account.tenant());
        statement.setString(2, account.chainId().toHex());
        statement.setString(3, account.address().toHex());
        statement.setString(4, account.kind());
        statement.setInt(5, account.addressIndex());
        statement.setString(6, account.addressSalt().toHex());
        statement.setString(7, account.publicKey().toHex());
        statement.setString(8, account.deployHash().toHex());
        statement.setBoolean(9, account.upgradeRequired());
        statement.setBoolean(10, account.deployRequired());
        statement.executeUpdate();
    }

    /** Stores an account that was asked for, unless it is stored already. */
    public void remember(StoredAccount account) {
        database.inTransaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    "INSERT OR IGNORE" + PUT.substring("INSERT".length(), PUT.indexOf(" ON ")))) {
                fill(statement, account);
            }
        });
    }

    /** All accounts of a tenant on a chain, by their index. */
    public List<StoredAccount> all(String tenant, Felt chainId) {
        return database.get(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT " + COLUMNS
                    + " FROM account WHERE tenant = ? AND chain_id = ? ORDER BY address_index, address")) {
                statement.setString(1, tenant);
                statement.setString(2, chainId.toHex());
                List<StoredAccount> accounts = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        accounts.add(read(rows));
                    }
                }
                return accounts;
            }
        });
    }

    /** One account. */
    public Optional<StoredAccount> find(String tenant, Felt chainId, Felt address) {
        return database.get(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    "SELECT " + COLUMNS + " FROM account WHERE tenant = ? AND chain_id = ? AND address = ?")) {
                statement.setString(1, tenant);
                statement.setString(2, chainId.toHex());
                statement.setString(3, address.toHex());
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() ? Optional.of(read(rows)) : Optional.empty();
                }
            }
        });
    }

    /** Takes back a deployment that the network refused: the account's index is free again. */
    public void forgetDeployment(Felt chainId, Felt address, Felt deployHash) {
        database.inTransaction(connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement("UPDATE account SET deploy_hash = '0x0', public_key = '0x0'"
                            + " WHERE chain_id = ? AND address = ? AND deploy_hash = ?")) {
                statement.setString(1, chainId.toHex());
                statement.setString(2, address.toHex());
                statement.setString(3, deployHash.toHex());
                statement.executeUpdate();
            }
        });
    }

    private static StoredAccount read(ResultSet row) throws SQLException {
        return new StoredAccount(
                row.getString("tenant"),
                Felt.parseHex(row.getString("chain_id")),
                Felt.parseHex(row.getString("address")),
                row.getString("kind"),
                row.getInt("address_index"),
                Felt.parseHex(row.getString("address_salt")),
                Felt.parseHex(row.getString("public_key")),
                Felt.parseHex(row.getString("deploy_hash")),
                row.getBoolean("upgrade_required"),
                row.getBoolean("deploy_required"));
    }
}
