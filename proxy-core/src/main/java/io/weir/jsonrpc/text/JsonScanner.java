package io.weir.jsonrpc.text;

import io.weir.jsonrpc.text.JsonSyntaxException.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A scanner over a JSON text in a byte array: it finds where values begin and end, without creating objects. Confined
 * to one thread.
 */
public final class JsonScanner {

    /* The scan. A caller steps through the containers it needs (open, firstEntry, nextEntry, member) and skips their
     * values. The positions before and after a skip delimit the value. Nothing recurses: the state is a depth and one
     * bit per level for the kind of container. A hostile text therefore costs bounded memory and no stack.
     *
     * The two modes differ only within containers that are skipped whole.
     * - Strict, for texts of clients: every byte must follow the grammar of RFC 8259.
     * - Delimiters, for nodes' answers: brackets must match by kind, and strings must be well-formed as in strict mode.
     *   Of the bytes between them only control and non-ASCII bytes are rejected. This suffices for a slice to have the
     *   right extent and to fit in another envelope.
     *
     * Scalars that are skipped by themselves must follow the grammar in both modes.
     */

    /* Most of any text is strings, so the scanner passes them eight bytes at a time. A byte stops the scan if it is a
     * quote, a backslash, below 0x20 or above 0x7f. For all eight bytes of a word at once: x-1 borrows into the top bit
     * of a byte exactly where x is 0. So ((w ^ quotes) - ones) marks quotes, and the same with backslashes marks those.
     * (w - spaces) marks bytes below 0x20, and w itself marks non-ASCII. A borrow may run into higher bytes and mark
     * them wrongly, but never into a lower byte. Read in little-endian order, the lowest mark is therefore the first
     * byte to stop at.
     *
     * In containers that are skipped whole, which may be large, a cheaper test comes first. It looks for a backslash, a
     * byte above 0x7f, or a byte below the digits, such as the quote. Hexadecimal strings and names have none of these,
     * so the first such byte is nearly always the quote.
     */

    /** The result of {@link #peek()} at the end of the text. */
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

    private static final int STRICT_DEPTH = 64;

    /** Most levels in nodes' answers. */
    static final int ANSWER_DEPTH = 1024;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final boolean strict;
    private final int maxDepth;
    private byte[] text;
    private int start;
    private int end;
    private int position;

    /** Whether the string that was passed last has escapes. */
    private boolean escaped;

    private int depth;
    /** The kinds of the outermost containers, one bit each: set for an object. */
    private long objects;

    /** The same bits for the deeper levels, which only nodes' answers have. */
    private long @Nullable [] innerObjects;

    private JsonScanner(byte[] text, int offset, int length, boolean strict) {
        this.strict = strict;
        this.maxDepth = strict ? STRICT_DEPTH : ANSWER_DEPTH;
        this.text = text;
        restart(text, offset, length);
    }

    /**
     * Returns a scanner that checks a range of an array against the JSON grammar, with at most 64 levels of nesting.
     */
    public static JsonScanner strict(byte[] text, int offset, int length) {
        return new JsonScanner(text, offset, length, true);
    }

    /**
     * Returns a scanner that skips containers by their delimiters, with at most 1024 levels of nesting. A byte order mark in front of
     * the text is skipped.
     */
    public static JsonScanner delimiters(byte[] text, int offset, int length) {
        JsonScanner scanner = new JsonScanner(text, offset, length, false);
        scanner.skipMark(length);
        return scanner;
    }

    private void skipMark(int length) {
        if (length > BYTE_ORDER_MARK.length
                && text[position] == BYTE_ORDER_MARK[0]
                && text[position + 1] == BYTE_ORDER_MARK[1]
                && text[position + 2] == BYTE_ORDER_MARK[2]) {
            position += BYTE_ORDER_MARK.length;
        }
    }

    /** Restarts with another text, in the same mode. */
    public void begin(byte[] array, int offset, int length) {
        restart(array, offset, length);
        depth = 0;
        if (!strict) {
            skipMark(length);
        }
    }

    /** Starts at a range of an array. */
    private void restart(byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        text = array;
        start = offset;
        end = offset + length;
        position = offset;
    }

    /** Returns the current index in the array. */
    public int position() {
        return position;
    }

    /** Returns the current offset from the text's first byte, as problems name it. */
    public int offset() {
        return position - start;
    }

    /** Enters the object or array whose bracket {@link #peek()} has just found. */
    public void open() throws JsonSyntaxException {
        if (!push(text[position] == '{')) {
            throw problem(Kind.TOO_DEEP, "nesting (expected: at most " + maxDepth + " levels)");
        }
        position++;
    }

    /** Enters the object or array that comes next. Returns whether it has an entry; if not, leaves it. */
    public boolean enter() throws JsonSyntaxException {
        peek();
        open();
        return firstEntry();
    }

    /** Returns whether the container just entered has an entry. If not, leaves it. */
    public boolean firstEntry() throws JsonSyntaxException {
        if (peek() != closing()) {
            return true;
        }
        close();
        return false;
    }

    /** Returns whether another entry follows the one just passed. If not, leaves the container. */
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

    /** Passes the object or array that comes next. Returns the number of its entries. */
    public int count() throws JsonSyntaxException {
        int count = 0;
        boolean more = enter();
        while (more) {
            if (inObject()) {
                memberName();
                colon();
            }
            skip();
            count++;
            more = nextEntry();
        }
        return count;
    }

    /** Passes a member's name and colon, up to the value. Returns the name, from the table if it is known. */
    public String member(NameTable known) throws JsonSyntaxException {
        peek();
        int nameStart = position + 1;
        int nameEnd = passName();
        String name = escaped ? null : known.find(text, nameStart, nameEnd);
        return name != null ? name : JsonString.unescape(text, nameStart, nameEnd);
    }

    /**
     * Passes a member's name and colon likewise, if only known names matter. An unknown name is null, unless it has
     * escapes.
     */
    public @Nullable String knownMember(NameTable known) throws JsonSyntaxException {
        peek();
        int nameStart = position + 1;
        int nameEnd = passName();
        return escaped ? JsonString.unescape(text, nameStart, nameEnd) : known.find(text, nameStart, nameEnd);
    }

    private int passName() throws JsonSyntaxException {
        memberName();
        int nameEnd = position - 1;
        colon();
        peek();
        return nameEnd;
    }

    /** Checks that only white space follows. */
    public void end() throws JsonSyntaxException {
        if (peek() != END) {
            throw problem(Kind.TRAILING_BYTES, found() + " (expected: the end)");
        }
    }

    /** Passes the next value with all its content. */
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

    /** Passes a scalar or an empty container, after entering the containers around it. */
    private void descend() throws JsonSyntaxException {
        int b = peek();
        while (b == '{' || b == '[') {
            open();
            if (!firstEntry()) {
                return;
            }
            if (b == '{') {
                memberName();
                colon();
            }
            b = peek();
        }
        scalar(b);
    }

    /**
     * Leaves the containers that a value ends. Returns whether another value comes before the outermost container ends.
     */
    private boolean ascend(int outside) throws JsonSyntaxException {
        while (depth > outside) {
            if (nextEntry()) {
                if (inObject()) {
                    memberName();
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
                strings();
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

    private void memberName() throws JsonSyntaxException {
        if (peek() != '"') {
            throw unexpected("a member's name");
        }
        string();
    }

    private void colon() throws JsonSyntaxException {
        if (peek() != ':') {
            throw unexpected("':'");
        }
        position++;
    }

    private void close() {
        depth--;
        position++;
    }

    /** Enters a container; returns false if that is too deep. */
    private boolean push(boolean object) {
        if (depth == maxDepth) {
            return false;
        }
        if (depth < Long.SIZE) {
            objects = with(objects, depth, object);
        } else {
            if (innerObjects == null) {
                innerObjects = new long[maxDepth / Long.SIZE];
            }
            innerObjects[depth / Long.SIZE] = with(innerObjects[depth / Long.SIZE], depth, object);
        }
        depth++;
        return true;
    }

    /** Returns the bits with one set or cleared, at an index modulo 64. */
    static long with(long bits, int index, boolean set) {
        return set ? bits | 1L << index : bits & ~(1L << index);
    }

    /** Returns whether the innermost container is an object. There must be one. */
    private boolean inObject() {
        int level = depth - 1;
        long bits = innerObjects == null || level < Long.SIZE ? objects : innerObjects[level / Long.SIZE];
        return (bits & 1L << level) != 0;
    }

    /** Returns the bracket that closes the innermost container; 0 without one. */
    private int closing() {
        return depth == 0 ? 0 : inObject() ? '}' : ']';
    }

    /** Passes white space. Returns the next byte without passing it, or {@link #END}. */
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

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** Passes a value that is not a container and begins with this byte. */
    private void scalar(int first) throws JsonSyntaxException {
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

    /** Passes a string from its opening quote. */
    private void string() throws JsonSyntaxException {
        escaped = false;
        rest(position + 1);
    }

    /** Passes the rest of a string, from any position within. */
    private void rest(int from) throws JsonSyntaxException {
        position = plainEnd(text, from, end);
        while (position < end && text[position] != '"') {
            byte b = text[position];
            if (b == '\\') {
                escape();
            } else if (b >= 0) {
                throw unexpected("control characters escaped");
            } else {
                int length = JsonString.characterLength(text, position, end);
                if (length == 0) {
                    throw unexpected("UTF-8");
                }
                position += length;
            }
            position = plainEnd(text, position, end);
        }
        if (position == end) {
            throw unexpected("'\"'");
        }
        position++;
    }

    /** Passes a string and the strings that directly follow it after a single comma or colon, as most do. */
    // The separator is unpredictable: one branch costs less than two.
    @SuppressWarnings("ShortCircuitBoolean")
    private void strings() throws JsonSyntaxException {
        byte[] bytes = text;
        int lastWord = end - Long.BYTES;
        // One byte before a quote, as between strings that follow each other.
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

    /**
     * Returns the first position whose byte does not occur in hexadecimal strings and names. Checks whole words only.
     */
    static int usualEnd(byte[] text, int from, int lastWord) {
        for (int p = from; p <= lastWord; p += Long.BYTES) {
            long word = (long) WORD.get(text, p);
            long unusual = ((word - ZEROS) | ((word ^ BACKSLASHES) - ONES) | word) & TOP_BITS;
            if (unusual != 0) {
                return p + (Long.numberOfTrailingZeros(unusual) >>> 3);
            }
        }
        // Near the end of the text, which rest() passes byte by byte.
        return Math.max(from, lastWord + 1);
    }

    /** Returns the first position whose byte ends a string or needs a check; {@code end} if there is none. */
    static int plainEnd(byte[] text, int from, int end) {
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

    /** Returns the exception for a byte that the grammar does not allow here, or for the end of the text. */
    private JsonSyntaxException unexpected(String expected) {
        Kind kind = position < end ? Kind.UNEXPECTED_BYTE : Kind.TRUNCATED;
        return problem(kind, found() + " (expected: " + expected + ")");
    }

    private JsonSyntaxException problem(Kind kind, String problem) {
        return new JsonSyntaxException(kind, position - start, problem);
    }

    /** Describes the next byte. */
    private String found() {
        if (position == end) {
            return "the end";
        }
        byte b = text[position];
        return b > ' ' && b < 0x7f ? "'" + (char) b + "'" : String.format("0x%02x", b);
    }
}
