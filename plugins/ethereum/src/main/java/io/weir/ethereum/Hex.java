package io.weir.ethereum;

/** Byte strings as JSON-RPC writes them: {@code 0x} and two lower-case digits a byte. Thread-safe. */
public final class Hex {
    private static final char[] DIGITS = "0123456789abcdef".toCharArray();

    private Hex() {}

    /** The bytes as text; no bytes are {@code 0x}. */
    public static String encode(byte[] bytes) {
        char[] text = new char[2 + bytes.length * 2];
        text[0] = '0';
        text[1] = 'x';
        for (int i = 0; i < bytes.length; i++) {
            text[2 + i * 2] = DIGITS[(bytes[i] >> 4) & 0xf];
            text[3 + i * 2] = DIGITS[bytes[i] & 0xf];
        }
        return new String(text);
    }

    /**
     * The bytes that a text stands for; digits of either case.
     *
     * @throws IllegalArgumentException when the prefix is missing, the digits are odd in number or one is none
     */
    public static byte[] decode(String text) {
        if (!hasPrefix(text)) {
            throw new IllegalArgumentException("hex: " + excerpt(text) + " (expected: 0x and digits)");
        }
        if (text.length() % 2 != 0) {
            throw new IllegalArgumentException("hex: " + excerpt(text) + " (expected: an even number of digits)");
        }
        byte[] bytes = new byte[text.length() / 2 - 1];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (digit(text, 2 + i * 2) << 4 | digit(text, 3 + i * 2));
        }
        return bytes;
    }

    static boolean hasPrefix(String text) {
        return text.length() >= 2 && text.charAt(0) == '0' && text.charAt(1) == 'x';
    }

    static int digit(String text, int index) {
        char c = text.charAt(index);
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        if (c >= 'a' && c <= 'f') {
            return c - 'a' + 10;
        }
        if (c >= 'A' && c <= 'F') {
            return c - 'A' + 10;
        }
        throw new IllegalArgumentException(
                "hex: " + excerpt(text) + " (expected: a hexadecimal digit at index " + index + ")");
    }

    /** Text of a caller may be megabytes long; a message shows its beginning. */
    static String excerpt(String text) {
        return text.length() <= 80 ? "\"" + text + "\"" : "\"" + text.substring(0, 77) + "...\"";
    }
}
