package io.weir.wallet.testing;

import io.weir.l2.key.Mnemonic;
import io.weir.wallet.key.SeedException;
import io.weir.wallet.key.SeedVault;

/** A seed for every tenant but {@code stranger}. Thread-safe. */
public final class TestSeeds implements SeedVault {
    public static final String SENTENCE = "test test test test test test test test test test test junk";

    private final byte[] seed = make();

    private static byte[] make() {
        try (Mnemonic mnemonic = Mnemonic.parse(SENTENCE.toCharArray())) {
            return mnemonic.seed(new char[0]);
        }
    }

    @Override
    public byte[] open(String tenant) throws SeedException {
        if (tenant.equals("stranger")) {
            throw new SeedException("tenant stranger has no seed (expected: plugin wallet create stranger)");
        }
        return seed.clone();
    }
}
