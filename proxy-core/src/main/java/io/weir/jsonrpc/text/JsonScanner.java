package io.weir.jsonrpc.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A walk through a JSON text in a byte array: it tells where values begin and end and makes no objects of them. Confined to
 * one thread.
 */
public final class JsonScanner {

    /*
     * The walk. A caller steps through the containers it cares about (open, firstEntry, nextEntry, name) and skips the values
     * in them; the positions before and after a skip are the value's slice. Nothing recurses: how deep the walk is and which
     * kind of container it is in at each level are a counter and one bit per level, so a hostile text costs a bounded amount
     * of memory and no stack.
     *
     * Two modes, which differ only within containers that are skipped whole.
     * - Strict, for texts of strangers: every byte is held to the grammar of RFC 8259.
     * - Delimiters, for nodes' answers: brackets must match by kind and strings must be well-formed, as in strict mode; of
     *   what stands between them only control and non-ASCII bytes are refused. That is enough for a slice to begin and end
     *   where it should and to stand in another envelope, and it halves the work where numbers and literals abound.
     * Scalars that are skipped by themselves are held to the grammar in both modes.
     *
     * Strings are most of any text, so they are passed eight bytes at a time. A byte stops the walk if it is a quote, a
     * backslash, below 0x20 or above 0x7f. For all eight bytes of a word at once: x-1 borrows into the top bit of a byte
     * exactly where x is 0, so ((w ^ quotes) - ones) marks quotes, the same with backslashes marks those, (w - spaces) marks
     * what is below 0x20, and w itself marks non-ASCII. A borrow may run on into bytes further up and mark them wrongly, but
     * never into one further down; read in little-endian order, the lowest mark is therefore the first byte to stop at.
     */

    /** What {@link #peek()} answers where the text is over. */
    public static final int END = -1;

    private static final int STRICT_DEPTH = 64;
    private static final int DELIMITERS_DEPTH = 1024;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long TOP_BITS = ONES * 0x80;
    private static final long QUOTES = ONES * '"';
    private static final long BACKSLASHES = ONES * '\\';
    private static final long SPACES = ONES * ' ';

    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final byte[] text;
    private final int start;
    private final int end;
    private final boolean strict;
    private final int maxDepth;
    private final long[] objects;

    private int position;
    private int depth;
    private boolean escaped;

    private JsonScanner(byte[] text, int offset, int length, boolean strict) {
        this.text = text;
        this.start = offset;
        this.end = offset + length;
        this.strict = strict;
        this.maxDepth = strict ? STRICT_DEPTH : DELIMITERS_DEPTH;
        this.objects = new long[maxDepth / Long.SIZE];
        this.position = offset;
    }

    /** A scanner that holds a range of an array to the letter of JSON, with at most 64 levels of nesting. */
    public static JsonScanner strict(byte[] text, int offset, int length) {
        return new JsonScanner(text, offset, length, true);
    }

    /** A scanner that skips containers by their delimiters, with at most 1024 levels of nesting. */
    public static JsonScanner delimiters(byte[] text, int offset, int length) {
        return new JsonScanner(text, offset, length, false);
    }

    /** Where in the array the walk stands. */
    public int position() {
        return position;
    }

    /** Where in the text the walk stands: the same, counted from the text's first byte. */
    public int offset() {
        return position - start;
    }

    /** Whether the string that was passed last has escapes. */
    public boolean escaped() {
        return escaped;
    }

    /** Passes white space; the byte then before the walk, or {@link #END}. */
    public int peek() {
        while (position < end) {
            byte b = text[position];
            if (!isSpace(b)) {
                return b & 0xff;
            }
            position++;
        }
        return END;
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** Enters the object or array whose bracket {@link #peek()} has just found. */
    public void open() throws JsonSyntaxException {
        if (depth == maxDepth) {
            throw problem(JsonSyntaxException.Kind.TOO_DEEP, "nesting (expected: at most " + maxDepth + " levels)");
        }
        long bit = 1L << depth;
        if (text[position] == '{') {
            objects[depth / Long.SIZE] |= bit;
        } else {
            objects[depth / Long.SIZE] &= ~bit;
        }
        depth++;
        position++;
    }

    /** Whether the container just entered has an entry; if not, leaves it. */
    public boolean firstEntry() throws JsonSyntaxException {
        if (peek() != closing()) {
            return true;
        }
        close();
        return false;
    }

    /** Whether the container goes on after the entry just passed; if not, leaves it. */
    public boolean nextEntry() throws JsonSyntaxException {
        int b = peek();
        if (b == ',') {
            position++;
            return true;
        }
        if (b != closing()) {
            throw unexpected(inObject() ? "',' or '}'" : "',' or ']'");
        }
        close();
        return false;
    }

    /** Passes a member's name and leaves the walk behind it, where {@link #colon()} is due. */
    public void name() throws JsonSyntaxException {
        if (peek() != '"') {
            throw unexpected("a member's name");
        }
        string();
    }

    /** Passes the colon between a member's name and its value. */
    public void colon() throws JsonSyntaxException {
        if (peek() != ':') {
            throw unexpected("':'");
        }
        position++;
    }

    /** Makes sure that nothing but white space follows. */
    public void end() throws JsonSyntaxException {
        if (peek() != END) {
            throw problem(JsonSyntaxException.Kind.TRAILING_BYTES, found() + " (expected: the end)");
        }
    }

    /** Passes the value that comes next, with all that is in it. */
    public void skip() throws JsonSyntaxException {
        int b = peek();
        if (strict || (b != '{' && b != '[')) {
            skipByGrammar();
        } else {
            skipByDelimiters();
        }
    }

    private void skipByGrammar() throws JsonSyntaxException {
        int outside = depth;
        do {
            descend();
        } while (ascend(outside));
    }

    /** Passes a scalar or an empty container, or enters containers up to the first of those. */
    private void descend() throws JsonSyntaxException {
        int b = peek();
        while (b == '{' || b == '[') {
            open();
            if (!firstEntry()) {
                return;
            }
            if (b == '{') {
                name();
                colon();
            }
            b = peek();
        }
        scalar(b);
    }

    /** After a value: leaves containers that end; whether another value comes before the outermost is left. */
    private boolean ascend(int outside) throws JsonSyntaxException {
        while (depth > outside) {
            if (nextEntry()) {
                if (inObject()) {
                    name();
                    colon();
                }
                return true;
            }
        }
        return false;
    }

    private void skipByDelimiters() throws JsonSyntaxException {
        int outside = depth;
        do {
            if (position == end) {
                throw unexpected("a closing bracket");
            }
            byte b = text[position];
            if (b == '"') {
                string();
            } else if (b == '{' || b == '[') {
                open();
            } else if (b == '}' || b == ']') {
                if (b != closing()) {
                    throw unexpected(inObject() ? "'}'" : "']'");
                }
                close();
            } else if (b > ' ' || isSpace(b)) {
                position++;
            } else {
                throw unexpected("JSON");
            }
        } while (depth > outside);
    }

    private void scalar(int b) throws JsonSyntaxException {
        switch (b) {
            case '"' -> string();
            case 't' -> literal(TRUE);
            case 'f' -> literal(FALSE);
            case 'n' -> literal(NULL);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(b);
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
    private void string() throws JsonSyntaxException {
        escaped = false;
        position = plainEnd(position + 1);
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

    private boolean inObject() {
        int level = depth - 1;
        return (objects[level / Long.SIZE] & 1L << level) != 0;
    }

    private int closing() {
        return inObject() ? '}' : ']';
    }

    private void close() {
        depth--;
        position++;
    }

    private JsonSyntaxException unexpected(String expected) {
        JsonSyntaxException.Kind kind =
                position < end ? JsonSyntaxException.Kind.UNEXPECTED_BYTE : JsonSyntaxException.Kind.TRUNCATED;
        return problem(kind, found() + " (expected: " + expected + ")");
    }

    private JsonSyntaxException problem(JsonSyntaxException.Kind kind, String problem) {
        return new JsonSyntaxException(kind, offset(), problem);
    }

    private String found() {
        if (position == end) {
            return "the end";
        }
        byte b = text[position];
        return b > ' ' && b < 0x7f ? "'" + (char) b + "'" : String.format("0x%02x", b);
    }
}
