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
        long[][] state = state(BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO);
        int size = elements.size();
        for (int index = 0; index <= size; index += 2) {
            absorb(state[0], elements, index);
            absorb(state[1], elements, index + 1);
            Hades.permute(state);
        }
        return Montgomery.toFelt(state[0]);
    }

    private static void absorb(long[] number, List<Felt> elements, int index) {
        if (index <= elements.size()) {
            Felt element = index < elements.size() ? elements.get(index) : Felt.ONE;
            Montgomery.add(number, number, Montgomery.of(element.toBigInteger()));
        }
    }

    private static long[][] state(BigInteger first, BigInteger second, BigInteger third) {
        return new long[][] {Montgomery.of(first), Montgomery.of(second), Montgomery.of(third)};
    }

    private static Felt permuted(BigInteger first, BigInteger second, BigInteger third) {
        long[][] state = state(first, second, third);
        Hades.permute(state);
        return Montgomery.toFelt(state[0]);
    }
}
