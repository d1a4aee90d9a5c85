package io.weir.wallet.command;

import io.weir.api.PluginCommand;
import io.weir.wallet.key.FileSeedVault;
import io.weir.wallet.key.SeedException;
import io.weir.wallet.name.SimilarName;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;

/** A command about seeds. Its failures are one line on standard error. Confined to the thread that runs it. */
public abstract sealed class SeedCommand implements PluginCommand
        permits CreateCommand, ImportCommand, DeleteCommand, ListCommand {

    /** All went well. */
    static final int WELL = 0;

    /** A problem, said in one line. */
    static final int PROBLEM = 1;

    /** Wrong usage. */
    static final int USAGE = 2;

    private final String name;
    private final String usage;
    private final String description;

    SeedCommand(String name, String usage, String description) {
        this.name = name;
        this.usage = usage;
        this.description = description;
    }

    /**
     * The commands.
     *
     * @param tenants the names of those who can call
     * @param in where a mnemonic to import, or a confirmation, is read
     */
    public static List<PluginCommand> all(
            FileSeedVault vault, Set<String> tenants, SecureRandom random, InputStream in) {
        return List.of(
                new CreateCommand(vault, tenants, random),
                new ImportCommand(vault, tenants, in),
                new DeleteCommand(vault, in),
                new ListCommand(vault));
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String description() {
        return description;
    }

    @Override
    public final int run(List<String> arguments, PrintStream out, PrintStream err) throws IOException {
        if (!understands(arguments)) {
            err.println("usage: plugin wallet " + name + usage);
            return USAGE;
        }
        try {
            return carryOut(arguments, out, err);
        } catch (SeedException e) {
            err.println(e.getMessage());
            return PROBLEM;
        }
    }

    abstract boolean understands(List<String> arguments);

    abstract int carryOut(List<String> arguments, PrintStream out, PrintStream err) throws SeedException, IOException;

    /**
     * Checks that a tenant can call: nothing would ever use the seed of another one.
     *
     * @throws SeedException when it cannot
     */
    static void checkKnown(String tenant, Set<String> tenants) throws SeedException {
        if (!tenants.contains(tenant)) {
            throw new SeedException("tenant: " + tenant + " (expected: the name of an API key in access.keys"
                    + SimilarName.hint(tenant, tenants) + ")");
        }
    }

    /** Whether a word is a tenant and no option. */
    static boolean isName(String word) {
        return !word.isEmpty() && !word.startsWith("-");
    }
}
