package io.weir.wallet.state;

import io.weir.l2.Felt;
import io.weir.wallet.state.WalletDatabase.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The accounts. Thread-safe; blocks. */
public record AccountTable(WalletDatabase database) {
    private static final String COLUMNS = "tenant, chain_id, address, kind, address_index, address_salt, public_key,"
            + " deploy_hash, upgrade_required, deploy_required";
    private static final String INSERT = WalletDatabase.insertion("account", COLUMNS);
    /** A known deployment stays known, even if a later look does not find it. */
    private static final String OR_UPDATE = " ON CONFLICT (tenant, chain_id, address) DO UPDATE SET"
            + " kind = excluded.kind, address_index = excluded.address_index, address_salt = excluded.address_salt,"
            + " public_key = excluded.public_key, upgrade_required = excluded.upgrade_required,"
            + " deploy_required = excluded.deploy_required,"
            + " deploy_hash = CASE excluded.deploy_hash WHEN '0x0' THEN deploy_hash ELSE excluded.deploy_hash END";

    /** Stores an account, over what is stored of it. */
    public void put(StoredAccount account) {
        database.inTransaction(connection -> put(connection, account));
    }

    static void put(Connection connection, StoredAccount account) throws SQLException {
        WalletDatabase.change(connection, INSERT + OR_UPDATE, values(account));
    }

    private static Object[] values(StoredAccount account) {
        return new Object[] {
            account.tenant(),
            account.chainId(),
            account.address(),
            account.kind(),
            account.addressIndex(),
            account.addressSalt(),
            account.publicKey(),
            account.deployHash(),
            account.upgradeRequired(),
            account.deployRequired()
        };
    }

    /** Stores an account that was asked for, unless it is stored already. */
    public void remember(StoredAccount account) {
        database.update(INSERT + " ON CONFLICT DO NOTHING", values(account));
    }

    /** All accounts of a tenant on a chain, by their index. */
    public List<StoredAccount> all(String tenant, Felt chainId) {
        return select("WHERE tenant = ? AND chain_id = ? ORDER BY address_index, address", tenant, chainId);
    }

    /** One account. */
    public Optional<StoredAccount> find(String tenant, Felt chainId, Felt address) {
        return select("WHERE tenant = ? AND chain_id = ? AND address = ?", tenant, chainId, address).stream()
                .findFirst();
    }

    /** The transaction by which this wallet deploys an account, or nothing where it sent none. */
    public Optional<Felt> deployment(String tenant, Felt chainId, Felt address) {
        return find(tenant, chainId, address).map(StoredAccount::deployHash).filter(hash -> !hash.isZero());
    }

    private List<StoredAccount> select(String condition, Object... values) {
        return database.query(AccountTable::read, "SELECT " + COLUMNS + " FROM account " + condition, values);
    }

    /** Takes back a deployment that the network refused: the account's index is free again. */
    public void forgetDeployment(Felt chainId, Felt address, Felt deployHash) {
        database.update(
                "UPDATE account SET deploy_hash = '0x0', public_key = '0x0'"
                        + " WHERE chain_id = ? AND address = ? AND deploy_hash = ?",
                chainId,
                address,
                deployHash);
    }

    private static StoredAccount read(Row row) throws SQLException {
        return new StoredAccount(
                row.text("tenant"),
                row.felt("chain_id"),
                row.felt("address"),
                row.text("kind"),
                row.integer("address_index"),
                row.felt("address_salt"),
                row.felt("public_key"),
                row.felt("deploy_hash"),
                row.flag("upgrade_required"),
                row.flag("deploy_required"));
    }
}
