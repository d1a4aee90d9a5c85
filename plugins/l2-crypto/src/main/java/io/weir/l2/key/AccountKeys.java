package io.weir.l2.key;

import io.weir.l2.curve.PrivateKey;
import java.util.Arrays;

/** The private keys of a seed's accounts, at {@code m/44'/9004'/0'/0/index}, ground. Thread-safe. */
public final class AccountKeys {
    /** The network's number in BIP-44. */
    public static final int COIN_TYPE = 9004;

    private AccountKeys() {}

    /** The key of an account. The seed stays as it is: whoever made it wipes it. The caller closes the key. */
    public static PrivateKey derive(byte[] seed, int addressIndex) {
        if (addressIndex < 0) {
            throw new IllegalArgumentException("address index: " + addressIndex + " (expected: 0 or more)");
        }
        try (Bip32Node master = Bip32Node.master(seed);
                Bip32Node leaf = master.derive(
                        44 | Bip32Node.HARDENED, COIN_TYPE | Bip32Node.HARDENED, Bip32Node.HARDENED, 0, addressIndex)) {
            byte[] secret = leaf.key();
            try {
                return KeyGrinding.grind(secret);
            } finally {
                Arrays.fill(secret, (byte) 0);
            }
        }
    }
}
