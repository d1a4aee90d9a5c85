package io.weir.l2.key;

import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.digests.SHA256Digest;

/**
 * A sentence of BIP-39 in English: 12, 15, 18, 21 or 24 words whose last bits are a checksum. Its entropy is wiped on close.
 * Confined to one thread.
 */
public final class Mnemonic implements AutoCloseable {
    private static final int BITS_A_WORD = 11;
    private static final int MAX_ENTROPY_BYTES = 32;

    private final byte[] entropy;
    private boolean closed;

    private Mnemonic(byte[] entropy) {
        this.entropy = entropy;
    }

    /** A new sentence of 24 words. */
    public static Mnemonic generate(SecureRandom random) {
        byte[] entropy = new byte[MAX_ENTROPY_BYTES];
        random.nextBytes(entropy);
        return new Mnemonic(entropy);
    }

    /** The sentence of an entropy of 16, 20, 24, 28 or 32 bytes. The array is copied: whoever made it wipes it. */
    public static Mnemonic ofEntropy(byte[] entropy) {
        if (entropy.length < 16 || entropy.length > MAX_ENTROPY_BYTES || entropy.length % 4 != 0) {
            throw new IllegalArgumentException(
                    "entropy: " + entropy.length + " bytes (expected: 16, 20, 24, 28 or 32)");
        }
        return new Mnemonic(entropy.clone());
    }

    /**
     * Reads a sentence: words in lower case with white space between. The array stays as it is: whoever made it wipes it.
     *
     * @throws IllegalArgumentException when a word is unknown, their number or the checksum is wrong; the text names the
     *     place of a word, never a word
     */
    public static Mnemonic parse(char[] sentence) {
        // One bit a byte of the longest sentence, and a word more, to see that there is one too many.
        byte[] bits = new byte[25 * BITS_A_WORD];
        try {
            int words = readWords(sentence, bits);
            if (words < 12 || words > 24 || words % 3 != 0) {
                throw new IllegalArgumentException("mnemonic: " + (words > 24 ? "more than 24" : words)
                        + " words (expected: 12, 15, 18, 21 or 24)");
            }
            Mnemonic mnemonic = new Mnemonic(packed(bits, words * BITS_A_WORD * 32 / 33));
            if (!Arrays.equals(mnemonic.bits(), Arrays.copyOf(bits, words * BITS_A_WORD))) {
                mnemonic.close();
                throw new IllegalArgumentException("mnemonic: wrong checksum (expected: the words as they were given)");
            }
            return mnemonic;
        } finally {
            Arrays.fill(bits, (byte) 0);
        }
    }

    private static int readWords(char[] sentence, byte[] bits) {
        int words = 0;
        int from = 0;
        while (from < sentence.length && words < 25) {
            if (Character.isWhitespace(sentence[from])) {
                from++;
                continue;
            }
            int to = from;
            while (to < sentence.length && !Character.isWhitespace(sentence[to])) {
                to++;
            }
            int index = WordList.ENGLISH.indexOf(sentence, from, to);
            if (index < 0) {
                throw new IllegalArgumentException(
                        "mnemonic: word " + (words + 1) + " is unknown (expected: a word of BIP-39's English list)");
            }
            putBits(bits, words * BITS_A_WORD, index, BITS_A_WORD);
            words++;
            from = to;
        }
        return words;
    }

    /** The words with one space between: whoever asks wipes them. */
    public char[] sentence() {
        byte[] bits = bits();
        char[] sentence = new char[bits.length / BITS_A_WORD * 9];
        int length = 0;
        for (int start = 0; start < bits.length; start += BITS_A_WORD) {
            int index = 0;
            for (int bit = 0; bit < BITS_A_WORD; bit++) {
                index = index << 1 | bits[start + bit];
            }
            String word = WordList.ENGLISH.word(index);
            if (start > 0) {
                sentence[length++] = ' ';
            }
            word.getChars(0, word.length(), sentence, length);
            length += word.length();
        }
        char[] exact = Arrays.copyOf(sentence, length);
        Arrays.fill(sentence, '\0');
        Arrays.fill(bits, (byte) 0);
        return exact;
    }

    /** The entropy: whoever asks wipes it. */
    public byte[] entropy() {
        checkOpen();
        return entropy.clone();
    }

    /** The seed of 64 bytes, with a passphrase that may be empty: whoever asks wipes it. It takes milliseconds, by design. */
    public byte[] seed(char[] passphrase) {
        char[] sentence = sentence();
        try {
            return Seed.of(sentence, passphrase);
        } finally {
            Arrays.fill(sentence, '\0');
        }
    }

    /** Entropy and checksum, one bit a byte. */
    private byte[] bits() {
        checkOpen();
        byte[] bits = new byte[entropy.length * 8 * 33 / 32];
        for (int index = 0; index < entropy.length; index++) {
            putBits(bits, index * 8, entropy[index] & 0xff, 8);
        }
        SHA256Digest digest = new SHA256Digest();
        byte[] hash = new byte[digest.getDigestSize()];
        digest.update(entropy, 0, entropy.length);
        digest.doFinal(hash, 0);
        int checksumBits = entropy.length / 4;
        putBits(bits, entropy.length * 8, (hash[0] & 0xff) >> (8 - checksumBits), checksumBits);
        return bits;
    }

    private static void putBits(byte[] bits, int start, int value, int count) {
        for (int bit = 0; bit < count; bit++) {
            bits[start + bit] = (byte) (value >> (count - 1 - bit) & 1);
        }
    }

    private static byte[] packed(byte[] bits, int count) {
        byte[] packed = new byte[count / 8];
        for (int bit = 0; bit < count; bit++) {
            packed[bit / 8] |= (byte) (bits[bit] << (7 - bit % 8));
        }
        return packed;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("mnemonic: wiped (expected: used before its close)");
        }
    }

    @Override
    public void close() {
        closed = true;
        Arrays.fill(entropy, (byte) 0);
    }

    @Override
    public String toString() {
        return "Mnemonic";
    }
}
