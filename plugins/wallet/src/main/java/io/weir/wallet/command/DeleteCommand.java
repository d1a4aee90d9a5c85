package io.weir.wallet.command;

import io.weir.l2.key.Mnemonic;
import io.weir.wallet.key.FileSeedVault;
import io.weir.wallet.key.SeedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** {@code delete}: shows a tenant's mnemonic and takes its seed away. Confined to the thread that runs it. */
final class DeleteCommand extends SeedCommand {

    private static final String YES = "--yes";

    private final FileSeedVault vault;
    private final InputStream in;

    DeleteCommand(FileSeedVault vault, InputStream in) {
        super(
                "delete",
                " [" + YES + "] TENANT",
                "Shows the words of the seed of an API key, and deletes it once its name is typed.");
        this.vault = vault;
        this.in = in;
    }

    @Override
    boolean understands(List<String> arguments) {
        boolean sure = arguments.size() == 2 && arguments.get(0).equals(YES);
        return (arguments.size() == 1 || sure) && isName(arguments.get(arguments.size() - 1));
    }

    @Override
    int carryOut(List<String> arguments, PrintStream out, PrintStream err) throws SeedException, IOException {
        String tenant = arguments.get(arguments.size() - 1);
        err.println("The words of " + tenant
                + ". Without them its accounts are lost once the seed is deleted. Write them down.");
        try (Mnemonic mnemonic = vault.mnemonic(tenant)) {
            char[] words = mnemonic.sentence();
            // The printer makes a text of them that only the collector clears; the process ends soon.
            out.println(words);
            Arrays.fill(words, '\0');
        }
        if (out.checkError()) {
            err.println("words: could not be shown (expected: a standard output that takes them); nothing is deleted");
            return PROBLEM;
        }
        if (arguments.size() == 1) {
            err.println("Type the name of the tenant to delete its seed for good:");
            byte[] typed = in.readNBytes(tenant.getBytes(StandardCharsets.UTF_8).length);
            int next = in.read();
            if (!new String(typed, StandardCharsets.UTF_8).equals(tenant)
                    || (next >= 0 && next != '\n' && next != '\r')) {
                err.println("another name (expected: " + tenant + "); nothing is deleted");
                return PROBLEM;
            }
        }
        vault.delete(tenant);
        err.println("The seed of " + tenant + " is deleted.");
        return WELL;
    }
}
