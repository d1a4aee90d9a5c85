package io.weir.jsonrpc.text;

import io.weir.jsonrpc.text.JsonSyntaxException.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * The part of {@link JsonScanner} that passes one token: white space, a string, a number, a literal. Confined to one thread.
 */
abstract sealed class TokenScanner permits JsonScanner {

    /*
     * Strings are most of any text, so they are passed eight bytes at a time. A byte stops the walk if it is a quote, a
     * backslash, below 0x20 or above 0x7f. For all eight bytes of a word at once: x-1 borrows into the top bit of a byte
     * exactly where x is 0, so ((w ^ quotes) - ones) marks quotes, the same with backslashes marks those, (w - spaces) marks
     * what is below 0x20, and w itself marks non-ASCII. A borrow may run on into bytes further up and mark them wrongly, but
     * never into one further down; read in little-endian order, the lowest mark is therefore the first byte to stop at.
     *
     * In containers that are skipped whole, which may be large, a word is asked a cheaper question first: whether it has a
     * backslash, a byte above 0x7f or any below the digits, which the quote is and what hexadecimal strings and names are made
     * of is not. Nearly always the first such byte is the quote.
     */

    /** What {@link #peek()} answers where the text is over. */
    public static final int END = -1;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long TOP_BITS = 0x8080808080808080L;
    private static final long QUOTES = ONES * '"';
    private static final long BACKSLASHES = ONES * '\\';
    private static final long SPACES = ONES * ' ';
    private static final long ZEROS = ONES * '0';

    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    byte[] text;
    int start;
    int end;
    int position;

    /** Whether the string that was passed last has escapes. */
    boolean escaped;

    TokenScanner(byte[] text, int offset, int length) {
        this.text = text;
        restart(text, offset, length);
    }

    /** Begins at a range of an array. */
    final void restart(byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        text = array;
        start = offset;
        end = offset + length;
        position = offset;
    }

    /** Passes white space; the byte then before the walk, or {@link #END}. */
    public final int peek() {
        while (position < end) {
            byte b = text[position];
            if (!isSpace(b)) {
                return b & 0xff;
            }
            position++;
        }
        return END;
    }

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** Passes a value that is no container, whose first byte is given. */
    final void scalar(int first) throws JsonSyntaxException {
        switch (first) {
            case '"' -> string();
            case 't' -> literal(TRUE);
            case 'f' -> literal(FALSE);
            case 'n' -> literal(NULL);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(first);
            default -> throw unexpected("a value");
        }
    }

    private void literal(byte[] literal) throws JsonSyntaxException {
        for (byte b : literal) {
            if (position == end || text[position] != b) {
                throw unexpected("a value");
            }
            position++;
        }
    }

    private void number(int first) throws JsonSyntaxException {
        if (first == '-') {
            position++;
        }
        if (position < end && text[position] == '0') {
            position++;
        } else {
            digits();
        }
        if (position < end && text[position] == '.') {
            position++;
            digits();
        }
        if (position < end && (text[position] | 0x20) == 'e') {
            position++;
            if (position < end && (text[position] == '+' || text[position] == '-')) {
                position++;
            }
            digits();
        }
    }

    private void digits() throws JsonSyntaxException {
        int first = position;
        while (position < end && text[position] >= '0' && text[position] <= '9') {
            position++;
        }
        if (position == first) {
            throw unexpected("a digit");
        }
    }

    /** Passes a string, at whose opening quote the walk stands. */
    final void string() throws JsonSyntaxException {
        escaped = false;
        rest(position + 1);
    }

    /** Passes the rest of a string, from any place within. */
    private void rest(int from) throws JsonSyntaxException {
        position = plainEnd(from);
        while (position < end && text[position] != '"') {
            byte b = text[position];
            if (b == '\\') {
                escape();
            } else if (b >= 0) {
                throw unexpected("control characters escaped");
            } else {
                int length = Utf8.characterLength(text, position, end);
                if (length == 0) {
                    throw unexpected("UTF-8");
                }
                position += length;
            }
            position = plainEnd(position);
        }
        if (position == end) {
            throw unexpected("'\"'");
        }
        position++;
    }

    /** Passes a string, and those that follow with nothing but a comma or a colon between, as most do. */
    // Which of the two it is cannot be foretold: one branch costs less than two.
    @SuppressWarnings("ShortCircuitBoolean")
    final void strings() throws JsonSyntaxException {
        byte[] bytes = text;
        int lastWord = end - Long.BYTES;
        // One byte before a quote, as where strings follow each other.
        int p = position - 1;
        do {
            p = usualEnd(bytes, p + 2, lastWord);
            if (p < end && bytes[p] == '"') {
                p++;
            } else {
                rest(p);
                p = position;
            }
        } while (p < end - 1 && bytes[p + 1] == '"' && (bytes[p] == ',' | bytes[p] == ':'));
        position = p;
    }

    /** The first position whose byte is none that hexadecimal strings and names are made of, as far as whole words reach. */
    private static int usualEnd(byte[] text, int from, int lastWord) {
        for (int p = from; p <= lastWord; p += Long.BYTES) {
            long word = (long) WORD.get(text, p);
            long unusual = ((word - ZEROS) | ((word ^ BACKSLASHES) - ONES) | word) & TOP_BITS;
            if (unusual != 0) {
                return p + (Long.numberOfTrailingZeros(unusual) >>> 3);
            }
        }
        // Near the end of the text, which rest() passes with care.
        return Math.max(from, lastWord + 1);
    }

    /** The first position from here on whose byte is not one that merely passes in a string. */
    private int plainEnd(int from) {
        int p = from;
        while (p <= end - Long.BYTES) {
            long word = (long) WORD.get(text, p);
            long stops = (((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES) | (word - SPACES) | word) & TOP_BITS;
            if (stops != 0) {
                return p + (Long.numberOfTrailingZeros(stops) >>> 3);
            }
            p += Long.BYTES;
        }
        while (p < end && text[p] >= ' ' && text[p] != '"' && text[p] != '\\') {
            p++;
        }
        return p;
    }

    private void escape() throws JsonSyntaxException {
        escaped = true;
        position++;
        byte kind = position < end ? text[position] : 0;
        switch (kind) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> position++;
            case 'u' -> {
                position++;
                for (int i = 0; i < 4; i++) {
                    if (position == end || Character.digit(text[position], 16) < 0) {
                        throw unexpected("a hexadecimal digit");
                    }
                    position++;
                }
            }
            default -> throw unexpected("an escape");
        }
    }

    /** Another byte than the grammar has here, or none. */
    final JsonSyntaxException unexpected(String expected) {
        Kind kind = position < end ? Kind.UNEXPECTED_BYTE : Kind.TRUNCATED;
        return problem(kind, found() + " (expected: " + expected + ")");
    }

    final JsonSyntaxException problem(Kind kind, String problem) {
        return new JsonSyntaxException(kind, position - start, problem);
    }

    /** The byte before the walk, in words. */
    final String found() {
        if (position == end) {
            return "the end";
        }
        byte b = text[position];
        return b > ' ' && b < 0x7f ? "'" + (char) b + "'" : String.format("0x%02x", b);
    }
}
