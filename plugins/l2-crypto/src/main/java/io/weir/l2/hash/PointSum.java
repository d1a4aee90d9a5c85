package io.weir.l2.hash;

import io.weir.l2.Felt;
import java.math.BigInteger;
import org.bouncycastle.math.ec.ECPoint;

/**
 * A sum of points of the curve. Its coordinates are those of Jacobi: x / z^2 and y / z^3, so that an addition of eleven products needs no
 * inversion (Cohen, Miyaji and Ono, 1998). Confined to one thread.
 */
final class PointSum {
    private final long[] x;
    private final long[] y;
    private final long[] z = Montgomery.of(BigInteger.ONE);
    private final long[] run = z.clone();
    private final long[] rise = z.clone();
    private final long[] square = z.clone();
    private final long[] cube = z.clone();

    /** Begins with a point, which is not the neutral one. */
    PointSum(ECPoint start) {
        x = Montgomery.of(start.getAffineXCoord().toBigInteger());
        y = Montgomery.of(start.getAffineYCoord().toBigInteger());
    }

    /**
     * Adds a point by its plain coordinates.
     *
     * @throws IllegalArgumentException if the sum has the same x. Nobody knows sums of the hash's points for which it has
     */
    void add(long[] otherX, long[] otherY) {
        Montgomery.multiply(square, z, z);
        Montgomery.multiply(run, otherX, square);
        Montgomery.subtract(run, run, x);
        Montgomery.multiply(rise, otherY, square);
        Montgomery.multiply(rise, rise, z);
        Montgomery.subtract(rise, rise, y);
        if (Montgomery.isZero(run)) {
            throw new IllegalArgumentException("pedersen: this input has no hash (expected: another one)");
        }
        Montgomery.multiply(z, z, run);
        Montgomery.multiply(square, run, run);
        Montgomery.multiply(cube, run, square);
        Montgomery.multiply(square, square, x);
        Montgomery.multiply(x, rise, rise);
        Montgomery.subtract(x, x, cube);
        Montgomery.subtract(x, x, square);
        Montgomery.subtract(x, x, square);
        Montgomery.subtract(square, square, x);
        Montgomery.multiply(cube, cube, y);
        Montgomery.multiply(y, rise, square);
        Montgomery.subtract(y, y, cube);
    }

    /** Returns the x of the point. */
    Felt plainX() {
        Montgomery.invert(square, z);
        Montgomery.multiply(square, square, square);
        Montgomery.multiply(square, square, x);
        return Montgomery.toFelt(square);
    }
}
