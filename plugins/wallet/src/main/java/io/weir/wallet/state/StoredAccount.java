package io.weir.wallet.state;

import io.weir.l2.Felt;

/**
 * An account of a tenant on a chain. Immutable.
 *
 * @param kind the name of its kind in the settings
 * @param publicKey of the key that signs for it as far as the chain says; 0 where it says nothing
 * @param deployHash the hash of the transaction that deploys it, 0 where this wallet sent none
 * @param upgradeRequired whether its contract is too old to be used
 * @param deployRequired whether it must be deployed before it can be upgraded
 */
public record StoredAccount(
        String tenant,
        Felt chainId,
        Felt address,
        String kind,
        int addressIndex,
        Felt addressSalt,
        Felt publicKey,
        Felt deployHash,
        boolean upgradeRequired,
        boolean deployRequired) {

    /** Whether it is on the chain, or on its way there. */
    public boolean isInitialised() {
        return !publicKey.isZero() || !deployHash.isZero();
    }
}
