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

    private final ECPoint[] multiples = new ECPoint[(LOW_PLACES + 1) * DIGITS];

    PointTable(ECPoint low, ECPoint high) {
        ECPoint unit = low;
        for (int place = 0; place < LOW_PLACES; place++) {
            fill(place, unit);
            unit = unit.timesPow2(4);
        }
        fill(LOW_PLACES, high);
        // All at once: one inversion in place of a thousand. Additions of normal points are cheaper.
        low.getCurve().normalizeAll(multiples);
    }

    private void fill(int place, ECPoint unit) {
        ECPoint multiple = StarkCurve.infinity();
        for (int digit = 0; digit < DIGITS; digit++) {
            multiples[place * DIGITS + digit] = multiple;
            multiple = multiple.add(unit);
        }
    }

    /** A point plus what a felt stands for. */
    ECPoint addTo(ECPoint start, Felt felt) {
        byte[] bytes = felt.toBytes();
        ECPoint sum = start;
        for (int place = 0; place <= LOW_PLACES; place++) {
            int pair = bytes[Felt.SIZE_BYTES - 1 - place / 2] & 0xff;
            int digit = place % 2 == 0 ? pair & 0xf : pair >> 4;
            if (digit != 0) {
                sum = sum.add(multiples[place * DIGITS + digit]);
            }
        }
        return sum;
    }
}
