package io.weir.method;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.text.JsonScanner;
import io.weir.jsonrpc.text.JsonSyntaxException;
import io.weir.method.params.kind.HexText;
import org.jspecify.annotations.Nullable;

/**
 * The form of a method's results. A result of another form is no answer to the call. Nodes write the same value in different ways, so a
 * form allows all of them: numbers with leading zeros, or in decimal. Immutable.
 */
public enum ResultForm {
    /** Anything. */
    ANY,
    /** A number. */
    QUANTITY,
    /** Bytes in hex, of any length. */
    DATA,
    /** At most 32 bytes in hex. */
    WORD,
    /** A truth value. */
    BOOLEAN,
    /** A text. */
    TEXT,
    /** An object with members. */
    OBJECT,
    /** A list of objects. */
    OBJECTS,
    /** A list of texts. */
    TEXTS;

    private static final int WORD_DIGITS = 64;
    /** Of the largest number of 32 bytes. */
    private static final int DECIMAL_DIGITS = 78;

    /** Returns whether a result has this form. {@code null} has none but {@link #ANY}. */
    public boolean fits(RawJson result) {
        return switch (this) {
            case ANY -> true;
            case QUANTITY -> isNumber(result);
            case DATA -> HexText.read(result) != null;
            case WORD -> isWord(HexText.read(result), 0);
            case BOOLEAN -> result.first() == 't' || result.first() == 'f';
            case TEXT -> result.first() == '"';
            case OBJECT -> result.first() == '{' && !isEmptyObject(result);
            case OBJECTS -> isListOf(result, '{');
            case TEXTS -> isListOf(result, '"');
        };
    }

    /** Returns whether a result that begins with this byte, and is larger than any number, may have this form. */
    public boolean mayBeLarge(byte first) {
        return switch (this) {
            case ANY -> true;
            case QUANTITY, WORD, BOOLEAN -> false;
            case DATA, TEXT -> first == '"';
            case OBJECT -> first == '{';
            case OBJECTS, TEXTS -> first == '[';
        };
    }

    private static boolean isNumber(RawJson result) {
        return result.first() == '"'
                ? isWord(HexText.read(result), 1)
                : result.length() <= DECIMAL_DIGITS && result.toString().chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static boolean isWord(@Nullable HexText text, int least) {
        return text != null && text.digits() >= least && text.digits() <= WORD_DIGITS;
    }

    private static boolean isEmptyObject(RawJson object) {
        byte[] bytes = object.array();
        int at = object.offset() + 1;
        while (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n') {
            at++;
        }
        return bytes[at] == '}';
    }

    private static boolean isListOf(RawJson result, char first) {
        JsonScanner scanner = JsonScanner.delimiters(result.array(), result.offset(), result.length());
        try {
            if (scanner.peek() != '[') {
                return false;
            }
            scanner.open();
            boolean more = scanner.firstEntry();
            while (more) {
                if (scanner.peek() != first) {
                    return false;
                }
                scanner.skip();
                more = scanner.nextEntry();
            }
            return true;
        } catch (JsonSyntaxException e) {
            return false;
        }
    }
}
