package io.weir.wallet.account;

import io.weir.api.RpcException;
import io.weir.l2.Felt;
import io.weir.l2.curve.PrivateKey;
import io.weir.l2.curve.Signature;
import io.weir.l2.curve.StarkSigner;
import io.weir.l2.key.AccountKeys;
import io.weir.wallet.chain.L2Networks;
import io.weir.wallet.key.SeedException;
import io.weir.wallet.key.SeedVault;
import java.util.Arrays;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of the tenants: derived from the seed for each use, and wiped behind it. Public keys are kept. Thread-safe; opens seeds and
 * so may block.
 */
public final class TenantKeys {
    private static final Logger LOG = LoggerFactory.getLogger(TenantKeys.class);
    private static final int MAX_KEPT = 10_000;

    private final SeedVault seeds;
    private final Map<Place, Felt> publicKeys = LruCache.ofMost(MAX_KEPT);

    private record Place(String tenant, int addressIndex) {}

    public TenantKeys(SeedVault seeds) {
        this.seeds = seeds;
    }

    /**
     * The public key at an index.
     *
     * @throws RpcException when the tenant's seed is not to be had
     */
    public Felt publicKey(String tenant, int addressIndex) {
        Place place = new Place(tenant, addressIndex);
        Felt kept = publicKeys.get(place);
        if (kept != null) {
            return kept;
        }
        try (PrivateKey key = derive(tenant, addressIndex)) {
            Felt publicKey = StarkSigner.publicKey(key);
            publicKeys.put(place, publicKey);
            return publicKey;
        }
    }

    /**
     * Signs for an account.
     *
     * @throws RpcException when the seed is not to be had, or is not the one any more that the account is of
     */
    public Signature sign(WalletAccount account, Felt hash) {
        try (PrivateKey key = derive(account.tenant(), account.addressIndex())) {
            checkKey(account, key);
            return StarkSigner.sign(hash, key);
        }
    }

    /** The private key of an account, 32 bytes: whoever asks wipes them. Throws what {@link #sign} does. */
    public byte[] privateKey(WalletAccount account) {
        try (PrivateKey key = derive(account.tenant(), account.addressIndex())) {
            checkKey(account, key);
            return key.toBytes();
        }
    }

    private void checkKey(WalletAccount account, PrivateKey key) {
        if (StarkSigner.publicKey(key).equals(account.publicKey())) {
            return;
        }
        publicKeys.keySet().removeIf(place -> place.tenant().equals(account.tenant()));
        throw refusal("the seed of " + account.tenant() + " is another one now (expected: that of the account)");
    }

    private PrivateKey derive(String tenant, int addressIndex) {
        byte[] seed;
        try {
            seed = seeds.open(tenant);
        } catch (SeedException e) {
            // The text is the operator's: it may tell of files and the passphrase.
            LOG.warn("a call found no key: {}", e.getMessage());
            throw refusal(
                    "the key " + tenant + " has no seed that can be opened (expected: one, as the proxy's log says)");
        }
        try {
            return AccountKeys.derive(seed, addressIndex);
        } finally {
            Arrays.fill(seed, (byte) 0);
        }
    }

    private static RpcException refusal(String message) {
        return new RpcException(L2Networks.UNAUTHORIZED, message);
    }
}
