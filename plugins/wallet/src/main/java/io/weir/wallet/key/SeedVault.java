package io.weir.wallet.key;

/** The store of the tenants' seeds. Thread-safe; may read files and block. */
public interface SeedVault {

    /**
     * The BIP-39 seed of a tenant, 64 bytes. A new array each time: whoever asks wipes it.
     *
     * @param tenant the name of the caller's API key
     * @throws SeedException when the tenant has none, or when it cannot be opened
     */
    byte[] open(String tenant) throws SeedException;
}
