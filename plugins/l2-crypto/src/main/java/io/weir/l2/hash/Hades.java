package io.weir.l2.hash;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.bouncycastle.crypto.digests.SHA256Digest;

/** The permutation of three felts under Poseidon: 4 full rounds, 83 partial ones, 4 full ones. Thread-safe. */
final class Hades {
    static final int WIDTH = 3;
    private static final int FULL_ROUNDS = 8;
    private static final int PARTIAL_ROUNDS = 83;
    static final int ROUNDS = FULL_ROUNDS + PARTIAL_ROUNDS;

    private static final BigInteger[] ROUND_KEYS = roundKeys();

    private Hades() {}

    /** Returns the number that a round adds to one of the three. */
    static BigInteger roundKey(int round, int index) {
        return ROUND_KEYS[round * WIDTH + index];
    }

    /** Changes the three numbers, each from 0 to below the prime, in place. */
    static void permute(BigInteger[] state) {
        for (int round = 0; round < ROUNDS; round++) {
            boolean full = round < FULL_ROUNDS / 2 || round >= FULL_ROUNDS / 2 + PARTIAL_ROUNDS;
            for (int index = 0; index < WIDTH; index++) {
                BigInteger keyed = state[index].add(roundKey(round, index));
                state[index] = full || index == WIDTH - 1 ? cube(keyed) : keyed;
            }
            mix(state);
        }
    }

    private static BigInteger cube(BigInteger value) {
        return value.multiply(value).mod(Felt.PRIME).multiply(value).mod(Felt.PRIME);
    }

    /** Times the matrix of rows (3, 1, 1), (1, -1, 1), (1, 1, -2). */
    private static void mix(BigInteger[] state) {
        BigInteger sum = state[0].add(state[1]).add(state[2]);
        state[0] = sum.add(state[0].shiftLeft(1)).mod(Felt.PRIME);
        state[1] = sum.subtract(state[1].shiftLeft(1)).mod(Felt.PRIME);
        state[2] = sum.subtract(state[2].multiply(BigInteger.valueOf(3))).mod(Felt.PRIME);
    }

    /** As their authors made them: the SHA-256 of "Hades" and the running number, round by round. */
    private static BigInteger[] roundKeys() {
        BigInteger[] keys = new BigInteger[ROUNDS * WIDTH];
        SHA256Digest digest = new SHA256Digest();
        byte[] hash = new byte[digest.getDigestSize()];
        for (int number = 0; number < keys.length; number++) {
            byte[] text = ("Hades" + number).getBytes(StandardCharsets.US_ASCII);
            digest.update(text, 0, text.length);
            digest.doFinal(hash, 0);
            keys[number] = new BigInteger(1, hash).mod(Felt.PRIME);
        }
        return keys;
    }
}
