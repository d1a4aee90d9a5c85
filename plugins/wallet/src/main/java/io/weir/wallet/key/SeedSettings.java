package io.weir.wallet.key;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings {@code seeds} of the wallet. Immutable.
 *
 * @param passphrase where it is read
 * @param cost of files to be written; what is read says its own
 */
public record SeedSettings(PassphraseSource passphrase, KeyCost cost) {

    /** With the usual memory, this and the lanes are the second recommended choice of RFC 9106. */
    private static final int ITERATIONS = 3;

    private static final int LANES = 4;

    /**
     * Reads them.
     *
     * @param wallet the block {@code plugins.wallet}
     * @param environment gives a variable of the environment, or null
     * @param problems gets one line for each setting that is wrong
     */
    public static SeedSettings read(Config wallet, UnaryOperator<@Nullable String> environment, List<String> problems) {
        Config seeds = wallet.getConfig("seeds");
        String file = seeds.getString("passphrase-file");
        if (path(file) == null) {
            problems.add("seeds.passphrase-file: " + file + " (expected: the path of a file)");
        }
        KeyCost cost = new KeyCost(kib(seeds, problems), ITERATIONS, LANES);
        List<String> wrong = new ArrayList<>(cost.problems());
        wrong.forEach(problem -> problems.add("seeds.argon2." + problem));
        return new SeedSettings(new PassphraseSource(file, seeds.getString("passphrase-env"), environment), cost);
    }

    private static @Nullable Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static int kib(Config seeds, List<String> problems) {
        try {
            return (int) Math.min(seeds.getBytes("argon2.memory") / 1024, Integer.MAX_VALUE);
        } catch (ConfigException e) {
            problems.add("seeds.argon2.memory: not understood (expected: a size such as 64 MiB)");
            return KeyCost.MIN_MEMORY_KIB;
        }
    }
}
