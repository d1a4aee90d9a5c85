package io.weir.l2.hash;

import io.weir.l2.Felt;
import java.math.BigInteger;
import java.util.List;

/** The Poseidon hash over felts: of transactions of version 3 and of newer typed data. Thread-safe. */
public final class Poseidon {
    private Poseidon() {}

    /** The hash of one felt. */
    public static Felt hash(Felt only) {
        return permuted(only.toBigInteger(), BigInteger.ZERO, BigInteger.ONE);
    }

    /** The hash of two felts. */
    public static Felt hash(Felt left, Felt right) {
        return permuted(left.toBigInteger(), right.toBigInteger(), BigInteger.TWO);
    }

    /** Returns the hash of a list. Two elements at a time enter the sponge, with a 1 after the last and a 0 to fill a pair. */
    public static Felt hashMany(List<Felt> elements) {
        BigInteger[] state = {BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO};
        int size = elements.size();
        for (int index = 0; index <= size; index += 2) {
            state[0] = absorbed(state[0], elements, index);
            state[1] = absorbed(state[1], elements, index + 1);
            Hades.permute(state);
        }
        return Felt.of(state[0]);
    }

    private static BigInteger absorbed(BigInteger before, List<Felt> elements, int index) {
        if (index < elements.size()) {
            return before.add(elements.get(index).toBigInteger()).mod(Felt.PRIME);
        }
        return index == elements.size() ? before.add(BigInteger.ONE).mod(Felt.PRIME) : before;
    }

    private static Felt permuted(BigInteger first, BigInteger second, BigInteger third) {
        BigInteger[] state = {first, second, third};
        Hades.permute(state);
        return Felt.of(state[0]);
    }
}
