package io.weir.wallet.key;

import java.nio.file.Path;
import java.security.SecureRandom;

/** Vaults for tests: their keys cost as little as is allowed. */
final class TestVaults {

    static final String PASSPHRASE = "correct horse";

    private TestVaults() {}

    static FileSeedVault of(Path folder) {
        return of(folder, PASSPHRASE);
    }

    static FileSeedVault of(Path folder, String passphrase) {
        return new FileSeedVault(folder, source(passphrase), cheap(), new SecureRandom());
    }

    static PassphraseSource source(String passphrase) {
        return new PassphraseSource(null, "PASSPHRASE", name -> name.equals("PASSPHRASE") ? passphrase : null);
    }

    static KeyCost cheap() {
        return new KeyCost(KeyCost.MIN_MEMORY_KIB, 1, 1);
    }
}
