package io.weir.method.params.kind;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonString;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** JSON string of {@code 0x} and hexadecimal digits. Immutable. */
public final class HexText {

    private static final int NONE = -1;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long TOP_BITS = ONES << 7;

    private final RawJson value;
    private final int start;
    private final int end;
    private final boolean plain;

    /** @param plain whether the prefix and every letter are in lower case */
    private HexText(RawJson value, int start, int end, boolean plain) {
        this.value = value;
        this.start = start;
        this.end = end;
        this.plain = plain;
    }

    /** Reads a value; null if it is something else. Digits and prefix may be in either case, and there may be no digits. */
    public static @Nullable HexText read(RawJson value) {
        if (value.first() != '"') {
            return null;
        }
        byte[] text = value.array();
        int start = value.offset() + 3;
        int end = value.offset() + value.length() - 1;
        boolean escaped = value.length() < 4 || hasEscape(text, value.offset(), start);
        if (!escaped && text[start - 2] == '0' && (text[start - 1] | 0x20) == 'x') {
            int wrong = firstWrong(text, start, end);
            if (wrong == end) {
                return new HexText(value, start, end, text[start - 1] == 'x' && isLower(text, start, end));
            }
            escaped = text[wrong] == '\\';
        }
        return escaped ? readEscaped(value) : null;
    }

    /** Returns whether a range is a JSON string of {@code 0x} and this number of digits, a multiple of eight, all in lower case. */
    public static boolean isPlain(byte[] text, int start, int end, int digits) {
        boolean quoted = end - start == digits + 4 && begins(text, start) && text[end - 1] == '"';
        return quoted && areLower(text, start + 3, digits);
    }

    /** Returns whether a quote and {@code 0x} stand at an index. There must be as many bytes. */
    public static boolean begins(byte[] text, int start) {
        return text[start] == '"' && text[start + 1] == '0' && text[start + 2] == 'x';
    }

    /** With its top bit set, a byte keeps it when the first of a range is taken away, and loses it when the one behind the range is. */
    private static boolean areLower(byte[] text, int start, int count) {
        long lower = TOP_BITS;
        for (int i = 0; i < count; i += Long.BYTES) {
            long word = (long) WORD.get(text, start + i);
            long high = word | TOP_BITS;
            long digits = (high - ONES * '0') & ~(high - ONES * ('9' + 1));
            long letters = (high - ONES * 'a') & ~(high - ONES * ('f' + 1));
            lower &= (digits | letters) & ~word;
        }
        return lower == TOP_BITS;
    }

    /** Reads a string with escapes, which a caller may use for any character. */
    private static @Nullable HexText readEscaped(RawJson value) {
        int start = value.offset() + 1;
        int end = value.offset() + value.length() - 1;
        byte[] text = value.array();
        if (!hasEscape(text, start, end)) {
            return null;
        }
        String string = JsonString.unescape(text, start, end);
        byte[] quoted = ('"' + string + '"').getBytes(US_ASCII);
        if (string.length() < 2 || quoted[1] != '0' || (quoted[2] | 0x20) != 'x') {
            return null;
        }
        // Another array than the original one, so never the caller's own bytes.
        return firstWrong(quoted, 3, quoted.length - 1) == quoted.length - 1
                ? new HexText(RawJson.of(quoted), 3, quoted.length - 1, false)
                : null;
    }

    private static boolean hasEscape(byte[] text, int start, int end) {
        for (int i = start; i < end; i++) {
            if (text[i] == '\\') {
                return true;
            }
        }
        return false;
    }

    private static int firstWrong(byte[] text, int start, int end) {
        for (int i = start; i < end; i++) {
            if (digit(text[i]) == NONE) {
                return i;
            }
        }
        return end;
    }

    private static boolean isLower(byte[] text, int start, int end) {
        for (int i = start; i < end; i++) {
            if (text[i] >= 'A' && text[i] <= 'F') {
                return false;
            }
        }
        return true;
    }

    /** Returns the value of a digit in either case; negative if it is none. */
    public static int digit(byte b) {
        int digit = b - '0';
        int letter = (b | 0x20) - 'a';
        return digit >= 0 && digit <= 9 ? digit : letter >= 0 && letter < 6 ? letter + 10 : NONE;
    }

    /** Returns the number of digits. */
    public int digits() {
        return end - start;
    }

    /** Returns the number of digits without leading zeros; 0 for zero. */
    public int significantDigits() {
        int first = start;
        while (first < end && value.array()[first] == '0') {
            first++;
        }
        return end - first;
    }

    /** Returns the last digits as a number. */
    public long toLong() {
        long number = 0;
        for (int i = start; i < end; i++) {
            number = number << 4 | digit(value.array()[i]);
        }
        return number;
    }

    /** Returns all digits in lower case; the value itself if it has that form. */
    public RawJson bytes() {
        return plain ? value : withDigits(digits());
    }

    /** Returns the number with the fewest digits; the value itself if it has that form. */
    public RawJson quantity() {
        return padded(Math.max(1, significantDigits()));
    }

    /** Returns the number with this many digits, at least the significant ones; the value itself if it has that form. */
    public RawJson padded(int digits) {
        return plain && digits == digits() ? value : withDigits(digits);
    }

    private RawJson withDigits(int digits) {
        byte[] text = new byte[digits + 4];
        text[0] = '"';
        text[1] = '0';
        text[2] = 'x';
        for (int i = 0; i < digits; i++) {
            int from = end - digits + i;
            text[3 + i] = from < start ? (byte) '0' : lower(value.array()[from]);
        }
        text[digits + 3] = '"';
        return RawJson.of(text);
    }

    private static byte lower(byte digit) {
        return digit >= 'A' && digit <= 'F' ? (byte) (digit | 0x20) : digit;
    }
}
