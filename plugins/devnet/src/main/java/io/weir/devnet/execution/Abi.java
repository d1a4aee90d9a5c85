package io.weir.devnet.execution;

import io.weir.ethereum.Bytes;
import io.weir.ethereum.Hash32;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The contract ABI's encoding of the few types that the devnet needs. Thread-safe. */
final class Abi {
    static final int WORD_BYTES = 32;
    static final int SELECTOR_BYTES = 4;

    private static final byte[] ERROR_SELECTOR = {0x08, (byte) 0xc3, 0x79, (byte) 0xa0};

    private Abi() {}

    static byte[] word(BigInteger value) {
        byte[] bytes = value.toByteArray();
        int length = Math.min(bytes.length, WORD_BYTES);
        byte[] word = new byte[WORD_BYTES];
        System.arraycopy(bytes, bytes.length - length, word, WORD_BYTES - length, length);
        return word;
    }

    static byte[] word(Bytes shorter) {
        byte[] word = new byte[WORD_BYTES];
        shorter.copyTo(word, WORD_BYTES - shorter.size());
        return word;
    }

    static BigInteger number(byte[] word) {
        return new BigInteger(1, word);
    }

    /** One dynamic value alone: where it begins, its length, the bytes filled up to whole words. */
    static byte[] bytes(byte[] content) {
        int padded = (content.length + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
        return ByteBuffer.allocate(2 * WORD_BYTES + padded)
                .put(word(BigInteger.valueOf(WORD_BYTES)))
                .put(word(BigInteger.valueOf(content.length)))
                .put(content)
                .array();
    }

    /** {@code Error(string)}: how Solidity says why it reverts. */
    static Bytes error(String reason) {
        byte[] text = bytes(reason.getBytes(StandardCharsets.UTF_8));
        byte[] error = Arrays.copyOf(ERROR_SELECTOR, ERROR_SELECTOR.length + text.length);
        System.arraycopy(text, 0, error, ERROR_SELECTOR.length, text.length);
        return Bytes.wrap(error);
    }

    /** The first four bytes of a function's hash. */
    static int selector(String signature) {
        return ByteBuffer.wrap(Hash32.keccak(signature.getBytes(StandardCharsets.US_ASCII))
                        .toArray())
                .getInt();
    }
}
