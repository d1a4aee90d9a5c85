package io.weir.devnet.parameter;

import io.weir.ethereum.Hex;
import java.math.BigInteger;

/** Hexadecimal text, refused with the words of geth's {@code hexutil}. Thread-safe. */
final class HexText {
    private static final String DIGITS = "0123456789abcdefABCDEF";
    private static final int MAX_BITS = 256;

    private HexText() {}

    /** Text that is none; the reason is in geth's words. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        private final String reason;

        Malformed(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    static byte[] bytes(String text) throws Malformed {
        checkPrefix(text);
        if (text.length() % 2 != 0) {
            throw new Malformed("hex string of odd length");
        }
        checkDigits(text);
        return Hex.decode("0x" + text.substring(2));
    }

    static BigInteger number(String text) throws Malformed {
        checkPrefix(text);
        if (text.length() == 2) {
            throw new Malformed("hex string \"0x\"");
        }
        if (text.length() > 3 && text.charAt(2) == '0') {
            throw new Malformed("hex number with leading zero digits");
        }
        if (text.length() - 2 > MAX_BITS / 4) {
            throw new Malformed("hex number > 256 bits");
        }
        checkDigits(text);
        return new BigInteger(text.substring(2), 16);
    }

    static long unsignedLong(String text) throws Malformed {
        BigInteger number = number(text);
        if (number.bitLength() > Long.SIZE) {
            throw new Malformed("hex number > 64 bits");
        }
        return number.longValue();
    }

    private static void checkPrefix(String text) throws Malformed {
        if (text.isEmpty()) {
            throw new Malformed("empty hex string");
        }
        if (!text.startsWith("0x") && !text.startsWith("0X")) {
            throw new Malformed("hex string without 0x prefix");
        }
    }

    private static void checkDigits(String text) throws Malformed {
        for (int i = 2; i < text.length(); i++) {
            if (DIGITS.indexOf(text.charAt(i)) < 0) {
                throw new Malformed("invalid hex string");
            }
        }
    }
}
