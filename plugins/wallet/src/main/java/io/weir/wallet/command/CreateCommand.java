package io.weir.wallet.command;

import io.weir.l2.key.Mnemonic;
import io.weir.wallet.key.FileSeedVault;
import io.weir.wallet.key.SeedException;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** {@code create}: makes a tenant's seed and shows its mnemonic, this once. Confined to the thread that runs it. */
final class CreateCommand extends SeedCommand {

    private final FileSeedVault vault;
    private final Set<String> tenants;
    private final SecureRandom random;

    CreateCommand(FileSeedVault vault, Set<String> tenants, SecureRandom random) {
        super("create", " TENANT", "Makes the seed of an API key, and shows its 24 words once.");
        this.vault = vault;
        this.tenants = tenants;
        this.random = random;
    }

    @Override
    boolean understands(List<String> arguments) {
        return arguments.size() == 1 && isName(arguments.get(0));
    }

    @Override
    int carryOut(List<String> arguments, PrintStream out, PrintStream err) throws SeedException {
        String tenant = arguments.get(0);
        checkKnown(tenant, tenants);
        try (Mnemonic mnemonic = Mnemonic.generate(random)) {
            vault.create(tenant, mnemonic);
            err.println("The seed of " + tenant
                    + " is kept, encrypted. These are its words, shown now and never again: who has them has"
                    + " the accounts,");
            err.println("and without them a lost file or passphrase cannot be made good. Write them down.");
            char[] words = mnemonic.sentence();
            // The printer makes a text of them that only the collector clears; the process ends soon.
            out.println(words);
            Arrays.fill(words, '\0');
        }
        if (out.checkError()) {
            vault.delete(tenant);
            err.println("words: could not be shown (expected: a standard output that takes them); no seed is kept");
            return PROBLEM;
        }
        return WELL;
    }
}
