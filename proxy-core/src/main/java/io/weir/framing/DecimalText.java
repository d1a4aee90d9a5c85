package io.weir.framing;

import io.netty.buffer.ByteBuf;

/** Numbers in decimal digits. Stateless. */
public final class DecimalText {

    private DecimalText() {}

    /** Writes a non-negative number to a buffer, which remains the caller's. */
    public static void write(ByteBuf out, long number) {
        long power = 1;
        while (number / power >= 10) {
            power *= 10;
        }
        for (long rest = number; power > 0; power /= 10) {
            out.writeByte((int) ('0' + rest / power));
            rest %= power;
        }
    }
}
