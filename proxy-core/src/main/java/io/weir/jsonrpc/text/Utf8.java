package io.weir.jsonrpc.text;

/** The rule that decides which bytes beyond ASCII are UTF-8 (RFC 3629). */
final class Utf8 {

    /** Least byte of a character behind its second one. */
    static final int LOWEST_CONTINUATION = 0x80;

    /** Greatest byte of a character behind its second one. */
    static final int HIGHEST_CONTINUATION = 0xbf;

    private Utf8() {}

    /**
     * Returns the length of the character at a position in bytes, 2 to 4. Returns 0 if it is overlong, a surrogate, out
     * of range, cut off or otherwise invalid.
     */
    static int characterLength(byte[] text, int position, int end) {
        int lead = text[position] & 0xff;
        int length = lengthByLead(lead);
        if (length == 0 || length > end - position) {
            return 0;
        }
        int second = text[position + 1] & 0xff;
        if (second < lowestSecond(lead) || second > highestSecond(lead)) {
            return 0;
        }
        for (int i = position + 2; i < position + length; i++) {
            if ((text[i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return length;
    }

    /** Returns the length of the character with this first byte; 0 if no character begins with it. */
    static int lengthByLead(int lead) {
        if (lead < 0xc2) {
            return 0;
        }
        if (lead < 0xe0) {
            return 2;
        }
        if (lead < 0xf0) {
            return 3;
        }
        return lead <= 0xf4 ? 4 : 0;
    }

    /** Returns the least second byte: higher for two lead bytes, which would otherwise allow overlong forms. */
    static int lowestSecond(int lead) {
        return switch (lead) {
            case 0xe0 -> 0xa0;
            case 0xf0 -> 0x90;
            default -> LOWEST_CONTINUATION;
        };
    }

    /** Returns the greatest second byte: lower for two lead bytes, which would otherwise allow surrogates and code points beyond U+10FFFF. */
    static int highestSecond(int lead) {
        return switch (lead) {
            case 0xed -> 0x9f;
            case 0xf4 -> 0x8f;
            default -> HIGHEST_CONTINUATION;
        };
    }
}
