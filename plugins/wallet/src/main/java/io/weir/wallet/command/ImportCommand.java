package io.weir.wallet.command;

import io.weir.l2.key.Mnemonic;
import io.weir.wallet.key.FileSeedVault;
import io.weir.wallet.key.SeedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** {@code import}: keeps the seed of a mnemonic that is read from standard input. Confined to the thread that runs it. */
final class ImportCommand extends SeedCommand {

    private static final String REPLACE = "--replace";
    /** 24 words of 8 letters, and plenty of white space. */
    private static final int MAX_BYTES = 4096;

    private final FileSeedVault vault;
    private final Set<String> tenants;
    private final InputStream in;

    ImportCommand(FileSeedVault vault, Set<String> tenants, InputStream in) {
        super(
                "import",
                " [" + REPLACE + "] TENANT < WORDS",
                "Keeps the seed of 12 to 24 words from standard input for an API key.");
        this.vault = vault;
        this.tenants = tenants;
        this.in = in;
    }

    @Override
    boolean understands(List<String> arguments) {
        boolean replace = arguments.size() == 2 && arguments.get(0).equals(REPLACE);
        return (arguments.size() == 1 || replace) && isName(arguments.get(arguments.size() - 1));
    }

    @Override
    int carryOut(List<String> arguments, PrintStream out, PrintStream err) throws SeedException, IOException {
        String tenant = arguments.get(arguments.size() - 1);
        checkKnown(tenant, tenants);
        char[] sentence = read();
        try (Mnemonic mnemonic = Mnemonic.parse(sentence)) {
            if (arguments.size() == 2) {
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
}
