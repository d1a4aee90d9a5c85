package io.weir.l2.hash;

import io.weir.l2.Felt;
import io.weir.l2.curve.StarkCurve;
import org.bouncycastle.math.ec.ECPoint;

/**
 * Multiples of the two points of one input of the Pedersen hash. The low 248 bits count for the first, the high four for the
 * second. For each place of four bits there are the fifteen multiples, so that a hash needs additions alone. Immutable.
 */
final class PointTable {
    private static final int LOW_PLACES = 62;
    private static final int DIGITS = 16;

    /** The coordinates in Montgomery form. */
    private final long[][] multiplesX = new long[(LOW_PLACES + 1) * DIGITS][];

    private final long[][] multiplesY = new long[(LOW_PLACES + 1) * DIGITS][];

    PointTable(ECPoint low, ECPoint high) {
        ECPoint[] multiples = new ECPoint[(LOW_PLACES + 1) * DIGITS];
        ECPoint unit = low;
        for (int place = 0; place < LOW_PLACES; place++) {
            fill(multiples, place, unit);
            unit = unit.timesPow2(4);
        }
        fill(multiples, LOW_PLACES, high);
        // All at once: one inversion in place of a thousand.
        low.getCurve().normalizeAll(multiples);
        for (int index = 0; index < multiples.length; index++) {
            if (!multiples[index].isInfinity()) {
                multiplesX[index] =
                        Montgomery.of(multiples[index].getAffineXCoord().toBigInteger());
                multiplesY[index] =
                        Montgomery.of(multiples[index].getAffineYCoord().toBigInteger());
            }
        }
    }

    private static void fill(ECPoint[] multiples, int place, ECPoint unit) {
        ECPoint multiple = StarkCurve.infinity();
        for (int digit = 0; digit < DIGITS; digit++) {
            multiples[place * DIGITS + digit] = multiple;
            multiple = multiple.add(unit);
        }
    }

    /** Adds the point that a felt stands for. */
    void addTo(PointSum sum, Felt felt) {
        byte[] bytes = felt.toBytes();
        for (int place = 0; place <= LOW_PLACES; place++) {
            int pair = bytes[Felt.SIZE_BYTES - 1 - place / 2] & 0xff;
            int digit = place % 2 == 0 ? pair & 0xf : pair >> 4;
            if (digit != 0) {
                sum.add(multiplesX[place * DIGITS + digit], multiplesY[place * DIGITS + digit]);
            }
        }
    }
}
