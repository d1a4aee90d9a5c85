package io.weir.jsonrpc.text;

/** The rule which bytes are UTF-8 beyond ASCII (RFC 3629). */
final class Utf8 {

    private Utf8() {}

    /**
     * How many bytes the character at a position has: 2 to 4; or 0 where it is overlong, a surrogate, out of range, cut off
     * or otherwise none.
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

    private static int lengthByLead(int lead) {
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

    /** Higher after two leads, which would otherwise allow overlong forms. */
    private static int lowestSecond(int lead) {
        return switch (lead) {
            case 0xe0 -> 0xa0;
            case 0xf0 -> 0x90;
            default -> 0x80;
        };
    }

    /** Lower after two leads, which would otherwise allow surrogates and what lies beyond U+10FFFF. */
    private static int highestSecond(int lead) {
        return switch (lead) {
            case 0xed -> 0x9f;
            case 0xf4 -> 0x8f;
            default -> 0xbf;
        };
    }
}
