package io.weir.l2.hash;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bouncycastle.crypto.digests.SHA256Digest;

/** The permutation of three felts under Poseidon: 4 full rounds, 83 partial ones, 4 full ones. Thread-safe. */
final class Hades {
    static final int WIDTH = 3;
    private static final int FULL_ROUNDS = 8;
    private static final int PARTIAL_ROUNDS = 83;
    static final int ROUNDS = FULL_ROUNDS + PARTIAL_ROUNDS;

    private static final BigInteger[] ROUND_KEYS = roundKeys();
    private static final long[][] KEYS =
            Arrays.stream(ROUND_KEYS).map(Montgomery::of).toArray(long[][]::new);

    private Hades() {}

    /** Returns the number that a round adds to one of the three. */
    static BigInteger roundKey(int round, int index) {
        return ROUND_KEYS[round * WIDTH + index];
    }

    /** Changes the three numbers, which are in {@link Montgomery}'s form, in place. */
    static void permute(long[][] state) {
        long[] sum = new long[state[0].length];
        for (int round = 0; round < ROUNDS; round++) {
            boolean full = round < FULL_ROUNDS / 2 || round >= FULL_ROUNDS / 2 + PARTIAL_ROUNDS;
            for (int index = 0; index < WIDTH; index++) {
                Montgomery.add(state[index], state[index], KEYS[round * WIDTH + index]);
                if (full || index == WIDTH - 1) {
                    Montgomery.multiply(sum, state[index], state[index]);
                    Montgomery.multiply(state[index], state[index], sum);
                }
            }
            mix(state, sum);
        }
    }

    /** Times the matrix of rows (3, 1, 1), (1, -1, 1), (1, 1, -2). */
    private static void mix(long[][] state, long[] sum) {
        Montgomery.add(sum, state[0], state[1]);
        Montgomery.add(sum, sum, state[2]);
        Montgomery.add(state[0], state[0], state[0]);
        Montgomery.add(state[0], state[0], sum);
        Montgomery.add(state[1], state[1], state[1]);
        Montgomery.subtract(state[1], sum, state[1]);
        Montgomery.subtract(sum, sum, state[2]);
        Montgomery.add(state[2], state[2], state[2]);
        Montgomery.subtract(state[2], sum, state[2]);
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
