package io.weir.l2.key;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.generators.PKCS5S2ParametersGenerator;
import org.bouncycastle.crypto.params.KeyParameter;

/** The seed of a BIP-39 sentence, in any language: PBKDF2 over its words. Thread-safe. */
final class Seed {
    private static final int ROUNDS = 2048;
    private static final int SIZE_BYTES = 64;
    private static final byte[] SALT = "mnemonic".getBytes(StandardCharsets.US_ASCII);

    private Seed() {}

    /** 64 bytes: whoever asks wipes them. Both arrays stay as they are. */
    static byte[] of(char[] sentence, char[] passphrase) {
        byte[] password = normal(sentence);
        byte[] suffix = normal(passphrase);
        byte[] salt = Arrays.copyOf(SALT, SALT.length + suffix.length);
        System.arraycopy(suffix, 0, salt, SALT.length, suffix.length);
        try {
            PKCS5S2ParametersGenerator generator = new PKCS5S2ParametersGenerator(new SHA512Digest());
            generator.init(password, salt, ROUNDS);
            return ((KeyParameter) generator.generateDerivedParameters(SIZE_BYTES * 8)).getKey();
        } finally {
            Arrays.fill(password, (byte) 0);
            Arrays.fill(suffix, (byte) 0);
            Arrays.fill(salt, (byte) 0);
        }
    }

    /** UTF-8 of the form NFKD. ASCII is in it already and becomes no string, which could not be wiped. */
    private static byte[] normal(char[] text) {
        boolean ascii = true;
        for (char character : text) {
            ascii &= character < 128;
        }
        CharBuffer chars = CharBuffer.wrap(
                ascii
                        ? text
                        : Normalizer.normalize(CharBuffer.wrap(text), Normalizer.Form.NFKD)
                                .toCharArray());
        // No char takes more than three bytes; surrogates, which come in pairs, take two each.
        ByteBuffer encoded = ByteBuffer.allocate(3 * chars.remaining());
        CharsetEncoder encoder = StandardCharsets.UTF_8
                .newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        encoder.encode(chars, encoded, true);
        encoder.flush(encoded);
        byte[] bytes = Arrays.copyOf(encoded.array(), encoded.position());
        Arrays.fill(encoded.array(), (byte) 0);
        return bytes;
    }
}
