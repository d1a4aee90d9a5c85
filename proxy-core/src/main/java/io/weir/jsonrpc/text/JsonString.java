package io.weir.jsonrpc.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Conversion of strings between Java and JSON text, and the rule by which bytes beyond ASCII are UTF-8 (RFC 3629). */
public final class JsonString {

    private static final byte[] HEX = "0123456789abcdef".getBytes(UTF_8);

    /** The last code point that is one byte in UTF-8. */
    private static final int MAX_ASCII = 0x7f;

    /** Least byte of a character behind its second one. */
    static final int LOWEST_CONTINUATION = 0x80;

    /** Greatest byte of a character behind its second one. */
    static final int HIGHEST_CONTINUATION = 0xbf;

    private JsonString() {}

    /**
     * Returns the string between two quotes, which a scanner found well-formed. An escaped unpaired surrogate stays as
     * it is.
     */
    public static String unescape(byte[] text, int start, int end) {
        int escape = indexOfEscape(text, start, end);
        if (escape == end) {
            return new String(text, start, end - start, UTF_8);
        }
        StringBuilder string = new StringBuilder(end - start);
        int plain = start;
        while (escape < end) {
            if (escape > plain) {
                string.append(new String(text, plain, escape - plain, UTF_8));
            }
            byte kind = text[escape + 1];
            if (kind == 'u') {
                string.append(codeUnit(text, escape + 2));
                plain = escape + 6;
            } else {
                string.append(unescaped(kind));
                plain = escape + 2;
            }
            escape = indexOfEscape(text, plain, end);
        }
        return string.append(new String(text, plain, end - plain, UTF_8)).toString();
    }

    private static char codeUnit(byte[] text, int start) {
        int unit = 0;
        for (int i = start; i < start + 4; i++) {
            unit = unit << 4 | Character.digit(text[i], 16);
        }
        return (char) unit;
    }

    private static int indexOfEscape(byte[] text, int start, int end) {
        int i = start;
        while (i < end && text[i] != '\\') {
            i++;
        }
        return i;
    }

    private static char unescaped(byte kind) {
        return switch (kind) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> (char) kind;
        };
    }

    /** Returns whether the string is Unicode text, that is, has no unpaired surrogate. */
    public static boolean isUnicode(String string) {
        int i = 0;
        while (i < string.length()) {
            int codePoint = string.codePointAt(i);
            if (isSurrogate(codePoint)) {
                return false;
            }
            i += Character.charCount(codePoint);
        }
        return true;
    }

    /**
     * Returns a text that is equal for names of members that differ only in case, as {@link String#equalsIgnoreCase} does. Go's
     * encoding/json reads U+017F as s and U+212A as k, and other readers take U+0130 and U+0131 for i. The folding
     * covers all of these.
     */
    public static String folded(String name) {
        char[] chars = name.toCharArray();
        for (int i = 0; i < chars.length; i++) {
            chars[i] = Character.toLowerCase(Character.toUpperCase(chars[i]));
        }
        return new String(chars);
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    /**
     * Returns the string as JSON in UTF-8, with quotes. Unpaired surrogates are escaped, because UTF-8 cannot encode
     * them.
     */
    public static byte[] quote(String string) {
        byte[] plain = quoteIfPlain(string);
        return plain != null ? plain : quoteWithEscapes(string);
    }

    private static byte @Nullable [] quoteIfPlain(String string) {
        byte[] quoted = new byte[string.length() + 2];
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                return null;
            }
            quoted[i + 1] = (byte) c;
        }
        quoted[0] = '"';
        quoted[quoted.length - 1] = '"';
        return quoted;
    }

    private static byte[] quoteWithEscapes(String string) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(string.length() * 2);
        out.write('"');
        int i = 0;
        while (i < string.length()) {
            int codePoint = string.codePointAt(i);
            i += Character.charCount(codePoint);
            if (codePoint == '"' || codePoint == '\\') {
                out.write('\\');
                out.write(codePoint);
            } else if (codePoint < ' ' || isSurrogate(codePoint)) {
                writeUnicodeEscape(codePoint, out);
            } else if (codePoint <= MAX_ASCII) {
                out.write(codePoint);
            } else {
                out.writeBytes(Character.toString(codePoint).getBytes(UTF_8));
            }
        }
        out.write('"');
        return out.toByteArray();
    }

    private static void writeUnicodeEscape(int unit, ByteArrayOutputStream out) {
        out.write('\\');
        out.write('u');
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.write(HEX[unit >>> shift & 0xf]);
        }
    }

    /**
     * Returns the length of the UTF-8 character beyond ASCII at a position in bytes, 2 to 4. Returns 0 if it is overlong, a surrogate, out
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
