package io.weir.wallet.command;

import io.weir.wallet.key.FileSeedVault;
import io.weir.wallet.key.SeedException;
import java.io.PrintStream;
import java.util.List;

/** {@code list}: names the tenants that have a seed, and nothing of it. Confined to the thread that runs it. */
final class ListCommand extends SeedCommand {

    private final FileSeedVault vault;

    ListCommand(FileSeedVault vault) {
        super("list", "", "Names the API keys that have a seed.");
        this.vault = vault;
    }

    @Override
    boolean understands(List<String> arguments) {
        return arguments.isEmpty();
    }

    @Override
    int carryOut(List<String> arguments, PrintStream out, PrintStream err) throws SeedException {
        int problems = 0;
        for (FileSeedVault.Entry entry : vault.list()) {
            if (entry.problem().isEmpty()) {
                out.println(entry.tenant());
            } else {
                err.println(entry.problem());
                problems++;
            }
        }
        return problems == 0 ? WELL : PROBLEM;
    }
}
