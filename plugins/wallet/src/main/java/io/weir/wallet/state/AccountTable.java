package io.weir.wallet.state;

import io.weir.l2.Felt;
import java.util.List;
import java.util.Optional;

/** The accounts. Thread-safe; blocks. */
public record AccountTable(WalletDatabase database) {
    private static final String INSERT = """
            INSERT INTO account (tenant, chain_id, address, kind, address_index, address_salt, public_key, deploy_hash,
                upgrade_required, deploy_required)
            VALUES (:tenant, :chainId, :address, :kind, :addressIndex, :addressSalt, :publicKey, :deployHash,
                :upgradeRequired, :deployRequired)
            ON CONFLICT""";

    /** Stores an account, over what is stored of it. A known deployment stays known, even if a later look does not find it. */
    public void put(StoredAccount account) {
        database.change(INSERT + """
                 (tenant, chain_id, address) DO UPDATE SET kind = excluded.kind, address_index = excluded.address_index,
                    address_salt = excluded.address_salt, public_key = excluded.public_key,
                    upgrade_required = excluded.upgrade_required, deploy_required = excluded.deploy_required,
                    deploy_hash = CASE excluded.deploy_hash WHEN '0x0' THEN deploy_hash ELSE excluded.deploy_hash END
                """, account);
    }

    /** Stores an account that was asked for, unless it is stored already. */
    public void remember(StoredAccount account) {
        database.change(INSERT + " DO NOTHING", account);
    }

    /** All accounts of a tenant on a chain, by their index. */
    public List<StoredAccount> all(String tenant, Felt chainId) {
        String sql = "SELECT * FROM account WHERE tenant = ? AND chain_id = ? ORDER BY address_index, address";
        return database.list(StoredAccount.class, sql, tenant, chainId);
    }

    /** One account. */
    public Optional<StoredAccount> find(String tenant, Felt chainId, Felt address) {
        String sql = "SELECT * FROM account WHERE tenant = ? AND chain_id = ? AND address = ?";
        return database.first(StoredAccount.class, sql, tenant, chainId, address);
    }

    /** The transaction by which this wallet deploys an account, or nothing where it sent none. */
    public Optional<Felt> deployment(String tenant, Felt chainId, Felt address) {
        return find(tenant, chainId, address).map(StoredAccount::deployHash).filter(hash -> !hash.isZero());
    }

    /** Takes back a deployment that the network refused: the account's index is free again. */
    public void forgetDeployment(Felt chainId, Felt address, Felt deployHash) {
        database.change("""
                UPDATE account SET deploy_hash = '0x0', public_key = '0x0'
                WHERE chain_id = ? AND address = ? AND deploy_hash = ?
                """, chainId, address, deployHash);
    }
}
