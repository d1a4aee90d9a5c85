package io.weir.wallet.testing;

import io.weir.l2.curve.PrivateKey;
import io.weir.l2.key.AccountKeys;
import io.weir.l2.key.Mnemonic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Everything by which a seed or one of its keys could be written, to be looked for where it must not be. Immutable. */
public final class Secrets {
    private static final int KEYS = 3;

    private final Map<String, String> texts = new LinkedHashMap<>();

    /** The secrets of a sentence of words. */
    public static Secrets of(String sentence) {
        Secrets secrets = new Secrets();
        secrets.texts.put("words", sentence);
        try (Mnemonic mnemonic = Mnemonic.parse(sentence.toCharArray())) {
            byte[] seed = mnemonic.seed(new char[0]);
            secrets.add("seed", seed);
            secrets.add("entropy", mnemonic.entropy());
            for (int index = 0; index < KEYS; index++) {
                try (PrivateKey key = AccountKeys.derive(seed, index)) {
                    secrets.add("key " + index, key.toBytes());
                }
            }
        }
        return secrets;
    }

    private void add(String name, byte[] secret) {
        BigInteger number = new BigInteger(1, secret);
        texts.put(name + " in hexadecimal", number.toString(16));
        texts.put(name + " in decimal", number.toString());
        texts.put(name + " in base 64", Base64.getEncoder().withoutPadding().encodeToString(secret));
        texts.put(name + " as bytes", new String(secret, StandardCharsets.ISO_8859_1));
        texts.put(name + " as a list of bytes", Arrays.toString(secret));
    }

    /** The names of the secrets that stand in bytes. */
    public Stream<String> in(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        String lower = text.toLowerCase(Locale.ROOT);
        return texts.entrySet().stream()
                .filter(secret -> text.contains(secret.getValue()) || lower.contains(secret.getValue()))
                .map(Map.Entry::getKey);
    }

    /** The names of the secrets that stand in text. */
    public Stream<String> in(String text) {
        return in(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The names of the secrets that stand in the files of a folder. */
    public Stream<String> below(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList().stream()
                    .flatMap(file -> in(bytes(file)).map(secret -> file + ": " + secret));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A text that holds every secret, to see that they are found. */
    public String everything() {
        return String.join(" ", texts.values());
    }

    /** How many there are. */
    public int count() {
        return texts.size();
    }
}
