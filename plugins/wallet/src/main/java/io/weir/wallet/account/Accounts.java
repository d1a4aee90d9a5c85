package io.weir.wallet.account;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.state.AccountTable;
import io.weir.wallet.state.StoredAccount;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the accounts of tenants. Thread-safe; blocks. */
public final class Accounts {
    private static final int MAX_KEPT = 10_000;

    /** The indexes, from 0 on, that are tried for an address that is not stored. Each costs some curve arithmetic. */
    private static final int SCANNED_INDEXES = 20;

    private final AccountKinds kinds;
    private final TenantKeys keys;
    private final AccountTable table;
    /** An address takes milliseconds to compute, and a search looks at many. */
    private final Map<Owned, Felt> addresses = LruCache.ofMost(MAX_KEPT);

    private record Owned(AccountKind kind, Felt publicKey) {}

    /** Takes what finds them. */
    public Accounts(AccountKinds kinds, TenantKeys keys, AccountTable table) {
        this.kinds = kinds;
        this.keys = keys;
        this.table = table;
    }

    /** The account at an index, of the kind that new accounts of the chain are. */
    public WalletAccount at(String tenant, L2Network network, int addressIndex) {
        return at(tenant, network, addressIndex, kinds.ofChain(network.chainId()));
    }

    /** The account of the lowest index that has come to life, or the one at index 0. */
    public WalletAccount first(String tenant, L2Network network) {
        return table.all(tenant, network.chainId()).stream()
                .filter(StoredAccount::isInitialised)
                .findFirst()
                .flatMap(account -> find(tenant, network, account.address()))
                .orElseGet(() -> at(tenant, network, 0));
    }

    /** The account of a kind at an index. */
    public WalletAccount at(String tenant, L2Network network, int addressIndex, AccountKind kind) {
        Felt publicKey = keys.publicKey(tenant, addressIndex);
        Felt address = addresses.computeIfAbsent(new Owned(kind, publicKey), owned -> kind.address(publicKey));
        return new WalletAccount(tenant, network, kind, addressIndex, publicKey, address);
    }

    /**
     * The index of the next new account: the lowest stored one that has not come to life, or the one behind all that have. Higher
     * ones that a caller once asked for do not count.
     */
    public int nextIndex(String tenant, L2Network network) {
        List<StoredAccount> stored = table.all(tenant, network.chainId());
        int behind = stored.stream()
                        .filter(StoredAccount::isInitialised)
                        .mapToInt(StoredAccount::addressIndex)
                        .max()
                        .orElse(-1)
                + 1;
        return stored.stream()
                .filter(account -> !account.isInitialised())
                .mapToInt(StoredAccount::addressIndex)
                .filter(index -> index <= behind)
                .min()
                .orElse(behind);
    }

    /**
     * The account of an address.
     *
     * @param path where the address stands in the call
     * @throws RpcException when it is not the tenant's
     */
    public WalletAccount require(String tenant, L2Network network, Felt address, String path) {
        return find(tenant, network, address)
                .orElseThrow(() -> new RpcException(
                        RpcException.INVALID_PARAMS,
                        path + ": " + address.toPaddedHex() + " (expected: an account of this wallet)"));
    }

    /** The account of an address, or nothing where it is not the tenant's: among those stored, and then by trying indexes. */
    public Optional<WalletAccount> find(String tenant, L2Network network, Felt address) {
        Optional<WalletAccount> stored = table.find(tenant, network.chainId(), address)
                .flatMap(account -> kinds.named(account.kind())
                        .map(kind -> new WalletAccount(
                                tenant,
                                network,
                                kind,
                                account.addressIndex(),
                                keys.publicKey(tenant, account.addressIndex()),
                                address)));
        return stored.isPresent() ? stored : scan(tenant, network, address);
    }

    private Optional<WalletAccount> scan(String tenant, L2Network network, Felt address) {
        for (int index = 0; index < SCANNED_INDEXES; index++) {
            for (AccountKind kind : kinds.all(network.chainId())) {
                WalletAccount account = at(tenant, network, index, kind);
                if (account.address().equals(address)) {
                    return Optional.of(account);
                }
            }
        }
        return Optional.empty();
    }
}
