package io.weir.wallet.account;

import io.weir.l2.Felt;
import io.weir.wallet.chain.L2Network;
import io.weir.wallet.state.StoredAccount;

/**
 * An account for which a key of the wallet signs. Immutable.
 *
 * @param publicKey of the wallet's key; the contract may have got another owner since
 */
public record WalletAccount(
        String tenant, L2Network network, AccountKind kind, int addressIndex, Felt publicKey, Felt address) {

    /** As it is stored when it was asked for, before the chain knows it. */
    public StoredAccount asked() {
        return stored(Felt.ZERO, Felt.ZERO, false);
    }

    /** As it is stored once it is on its way to the chain. */
    public StoredAccount deployedBy(Felt hash) {
        return stored(publicKey, hash, false);
    }

    /**
     * As it is stored.
     *
     * @param owner the public key that the contract obeys; 0 if it is not known
     * @param deployHash the transaction that deploys it; 0 if none is known
     */
    public StoredAccount stored(Felt owner, Felt deployHash, boolean upgradeRequired) {
        return new StoredAccount(
                tenant,
                network.chainId(),
                address,
                kind.name(),
                addressIndex,
                publicKey,
                owner,
                deployHash,
                upgradeRequired,
                false);
    }
}
