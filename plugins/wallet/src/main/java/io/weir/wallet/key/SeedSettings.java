package io.weir.wallet.key;

import io.weir.api.setting.About;
import io.weir.api.setting.Setting;
import io.weir.api.setting.TextForm;
import io.weir.api.setting.TextRule;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The settings of the tenants' seeds, which are encrypted in the folder {@code seeds} of the plugin's data. Immutable. */
public record SeedSettings(
        @About("File with the passphrase: 8 to 1024 bytes on one line, without the line end.")
        @Setting(rule = "the path of a file")
        @Nullable
        Path passphraseFile,

        @About("Environment variable with the passphrase, if no file is named.")
        @Setting(value = PassphraseSource.USUAL, form = VariableName.class)
        String passphraseEnv,

        @About(
                "Memory of Argon2id, which derives a key from the passphrase, for new files. A stored file states its own, within the "
                        + "same bounds and half of the heap.")
        @Setting(path = "argon2.memory", value = "64 MiB", range = "8 MiB to 512 MiB")
        int argon2Bytes) {

    /** The name of a variable. It is never shown: it may be the passphrase, pasted by mistake. */
    static final class VariableName extends TextForm<String> {

        VariableName() {
            super(TextRule.matching("[!-~]*", "the name of an environment variable"), true, true);
        }

        @Override
        protected String of(@Nullable String text) {
            return text == null ? "" : text;
        }
    }

    /** With the usual memory, this and the lanes are the second recommended choice of RFC 9106. */
    private static final int ITERATIONS = 3;

    private static final int LANES = 4;
    private static final int KIB = 1024;

    /**
     * Returns where the passphrase is read.
     *
     * @param environment gives a variable of the environment, or null
     */
    PassphraseSource passphrase(UnaryOperator<@Nullable String> environment) {
        return new PassphraseSource(passphraseFile, passphraseEnv, environment);
    }

    /** Returns the cost of files to be written. */
    KeyCost cost() {
        return new KeyCost(argon2Bytes / KIB, ITERATIONS, LANES);
    }
}
