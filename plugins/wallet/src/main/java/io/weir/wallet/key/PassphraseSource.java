package io.weir.wallet.key;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The source of the passphrase of the seeds' files: a file, or a variable of the environment. It is read each time it is needed
 * and kept nowhere. Thread-safe.
 *
 * @param file null if none is named
 * @param variable the name of the variable, used where no file is named; or an empty text
 * @param environment gives a variable's value, or null
 */
record PassphraseSource(@Nullable Path file, String variable, UnaryOperator<@Nullable String> environment) {

    /** The variable by default. */
    static final String USUAL = "WEIR_WALLET_PASSPHRASE";

    private static final int MIN_BYTES = 8;
    private static final int MAX_BYTES = 1024;

    /**
     * The passphrase in UTF-8, without the end of its line: whoever asks wipes it.
     *
     * @throws SeedException when there is none, or it is too short or too long; the text does not hold it
     */
    byte[] read() throws SeedException {
        if (file == null && variable.isEmpty()) {
            throw new SeedException("passphrase: none (expected: seeds.passphrase-file or seeds.passphrase-env)");
        }
        byte[] passphrase = file == null ? ofVariable() : ofFile(file);
        if (passphrase.length >= MIN_BYTES && passphrase.length <= MAX_BYTES) {
            return passphrase;
        }
        int length = passphrase.length;
        Arrays.fill(passphrase, (byte) 0);
        throw new SeedException("passphrase: " + (length > MAX_BYTES ? "more than " + MAX_BYTES : length)
                + " bytes (expected: from " + MIN_BYTES + " to " + MAX_BYTES + ")");
    }

    private byte[] ofVariable() throws SeedException {
        String value = environment.apply(variable);
        if (value == null) {
            // A name of the operator's own may be the passphrase, pasted by mistake.
            throw new SeedException(
                    "passphrase: the variable " + (variable.equals(USUAL) ? USUAL : "that seeds.passphrase-env names")
                            + " is not set (expected: the passphrase, or seeds.passphrase-file)");
        }
        return value.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] ofFile(Path file) throws SeedException {
        byte[] read = new byte[MAX_BYTES + 3];
        try (InputStream in = Files.newInputStream(file)) {
            int length = in.readNBytes(read, 0, read.length);
            return Arrays.copyOf(read, length - lineEnd(read, length));
        } catch (IOException e) {
            throw new SeedException(
                    "passphrase: its file cannot be read: " + e.getClass().getSimpleName()
                            + " (expected: seeds.passphrase-file)",
                    e);
        } finally {
            Arrays.fill(read, (byte) 0);
        }
    }

    /** Editors end a file with a line's end, which nobody takes for a part of the passphrase. */
    private static int lineEnd(byte[] read, int length) {
        if (length == 0 || read[length - 1] != '\n') {
            return 0;
        }
        return length > 1 && read[length - 2] == '\r' ? 2 : 1;
    }
}
