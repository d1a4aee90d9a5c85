package io.weir.wallet.command;

import io.weir.api.PluginCommand;
import io.weir.api.setting.NearestName;
import io.weir.l2.key.Mnemonic;
import io.weir.wallet.key.FileSeedVault;
import io.weir.wallet.key.SeedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The commands about seeds. Their failures are one line on standard error. Confined to the thread that runs one. */
public record SeedCommands(FileSeedVault vault, Set<String> tenants, SecureRandom random, InputStream in) {

    static final int WELL = 0;
    static final int PROBLEM = 1;
    static final int WRONG_USAGE = 2;
    private static final String TENANT = "TENANT";
    private static final String REPLACE = "--replace";
    private static final String YES = "--yes";
    /** 24 words of 8 letters, and plenty of white space. */
    private static final int MAX_BYTES = 4096;

    /**
     * Returns the commands.
     *
     * @param tenants the names of those who can call
     * @param in where a mnemonic to import, or a confirmation, is read
     */
    public static List<PluginCommand> all(
            FileSeedVault vault, Set<String> tenants, SecureRandom random, InputStream in) {
        SeedCommands all = new SeedCommands(vault, tenants, random, in);
        return List.of(
                new SeedCommand(
                        "create",
                        null,
                        " " + TENANT,
                        "Makes the seed of an API key, and shows its 24 words once.",
                        all::create),
                new SeedCommand(
                        "import",
                        REPLACE,
                        " [" + REPLACE + "] " + TENANT + " < WORDS",
                        "Keeps the seed of 12 to 24 words from standard input for an API key.",
                        all::keep),
                new SeedCommand(
                        "delete",
                        YES,
                        " [" + YES + "] " + TENANT,
                        "Shows the words of the seed of an API key and deletes it, once its name is typed.",
                        all::delete),
                new SeedCommand("list", null, "", "Names the API keys that have a seed.", all::list));
    }

    /** What a command does. */
    private interface Action {

        /**
         * Does it.
         *
         * @param tenant an empty text for a command about none
         * @param sure whether the command's option was given
         * @return the exit code
         */
        int carryOut(String tenant, boolean sure, PrintStream out, PrintStream err) throws SeedException, IOException;
    }

    /** @param option null if it has none */
    private record SeedCommand(String name, @Nullable String option, String usage, String description, Action action)
            implements PluginCommand {

        @Override
        public int run(List<String> arguments, PrintStream out, PrintStream err) throws IOException {
            int names = usage.contains(TENANT) ? 1 : 0;
            boolean sure = arguments.size() == names + 1 && arguments.get(0).equals(option);
            String tenant = names == 0 || arguments.isEmpty() ? "" : arguments.get(arguments.size() - 1);
            boolean named = names == 0 || (!tenant.isEmpty() && !tenant.startsWith("-"));
            if (!named || (arguments.size() != names && !sure)) {
                err.println("usage: plugin wallet " + name + usage);
                return WRONG_USAGE;
            }
            try {
                return action.carryOut(tenant, sure, out, err);
            } catch (SeedException e) {
                err.println(e.getMessage());
                return PROBLEM;
            }
        }
    }

    /** Checks that a tenant can call: nothing would ever use the seed of another one. */
    private void checkKnown(String tenant) throws SeedException {
        if (!tenants.contains(tenant)) {
            throw new SeedException("tenant: " + tenant + " (expected: the name of an API key in access.keys"
                    + NearestName.hint(tenant, tenants) + ")");
        }
    }

    /** Makes a tenant's seed and shows its mnemonic, this once. */
    private int create(String tenant, boolean sure, PrintStream out, PrintStream err) throws SeedException {
        checkKnown(tenant);
        try (Mnemonic mnemonic = Mnemonic.generate(random)) {
            vault.create(tenant, mnemonic);
            err.println("The seed of " + tenant
                    + " is kept, encrypted. These are its words, shown now and never again: who has them has"
                    + " the accounts,");
            err.println("and without them a lost file or passphrase cannot be made good. Write them down.");
            show(mnemonic, out);
        }
        if (out.checkError()) {
            vault.delete(tenant);
            err.println("words: could not be shown (expected: a standard output that takes them); no seed is kept");
            return PROBLEM;
        }
        return WELL;
    }

    /** The printer makes a text of the words that only the collector clears; the process ends soon. */
    private static void show(Mnemonic mnemonic, PrintStream out) {
        char[] words = mnemonic.sentence();
        out.println(words);
        Arrays.fill(words, '\0');
    }

    /** Keeps the seed of a mnemonic that is read from standard input. */
    private int keep(String tenant, boolean replaces, PrintStream out, PrintStream err)
            throws SeedException, IOException {
        checkKnown(tenant);
        char[] sentence = read();
        try (Mnemonic mnemonic = Mnemonic.parse(sentence)) {
            if (replaces) {
                vault.replace(tenant, mnemonic);
            } else {
                vault.create(tenant, mnemonic);
            }
        } catch (IllegalArgumentException e) {
            // Says which word is wrong by its place, never by the word.
            err.println(e.getMessage());
            return PROBLEM;
        } finally {
            Arrays.fill(sentence, '\0');
        }
        out.println("The seed of " + tenant + " is kept, encrypted.");
        return WELL;
    }

    /** The first line with something in it. Every word is ASCII, so that a byte is a character. */
    private char[] read() throws IOException, SeedException {
        char[] sentence = new char[MAX_BYTES];
        int length = 0;
        while (true) {
            int next = in.read();
            if (next < 0 || (next == '\n' && !isBlank(sentence, length))) {
                char[] exact = Arrays.copyOf(sentence, length);
                Arrays.fill(sentence, '\0');
                return exact;
            }
            if (length == sentence.length) {
                Arrays.fill(sentence, '\0');
                throw new SeedException("mnemonic: more than " + MAX_BYTES + " bytes (expected: 12 to 24 words)");
            }
            sentence[length++] = (char) next;
        }
    }

    private static boolean isBlank(char[] text, int length) {
        for (int index = 0; index < length; index++) {
            if (!Character.isWhitespace(text[index])) {
                return false;
            }
        }
        return true;
    }

    /** Shows a tenant's mnemonic and takes its seed away; asks first, unless it is sure. */
    private int delete(String tenant, boolean sure, PrintStream out, PrintStream err)
            throws SeedException, IOException {
        try (Mnemonic mnemonic = vault.mnemonic(tenant)) {
            if (!sure && !isConfirmed(tenant, err)) {
                return PROBLEM;
            }
            err.println("The words of " + tenant
                    + ". Without them its accounts are lost once the seed is deleted. Write them down.");
            show(mnemonic, out);
        }
        if (out.checkError()) {
            err.println("words: could not be shown (expected: a standard output that takes them); nothing is deleted");
            return PROBLEM;
        }
        vault.delete(tenant);
        err.println("The seed of " + tenant + " is deleted.");
        return WELL;
    }

    private boolean isConfirmed(String tenant, PrintStream err) throws IOException {
        err.println("This shows the words of the seed of " + tenant
                + " on the screen, and deletes the seed for good. Type the name of the tenant:");
        byte[] typed = in.readNBytes(tenant.getBytes(StandardCharsets.UTF_8).length);
        int next = in.read();
        boolean same =
                new String(typed, StandardCharsets.UTF_8).equals(tenant) && (next < 0 || next == '\n' || next == '\r');
        if (!same) {
            err.println("another name (expected: " + tenant + "); nothing is shown or deleted");
        }
        return same;
    }

    /** Names the tenants that have a seed, and nothing of it. */
    private int list(String tenant, boolean sure, PrintStream out, PrintStream err) throws SeedException {
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
