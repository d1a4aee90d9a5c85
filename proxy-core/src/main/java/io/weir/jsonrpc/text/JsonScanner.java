package io.weir.jsonrpc.text;

import io.weir.jsonrpc.text.JsonSyntaxException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A scanner over a JSON text in a byte array: it finds where values begin and end, without creating objects. Confined
 * to one thread.
 */
public final class JsonScanner extends TokenScanner {

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

    private static final int STRICT_DEPTH = 64;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final boolean strict;

    private JsonScanner(byte[] text, int offset, int length, boolean strict) {
        super(text, offset, length, strict ? STRICT_DEPTH : ANSWER_DEPTH);
        this.strict = strict;
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
        clear();
        if (!strict) {
            skipMark(length);
        }
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
            throw problem(Kind.TOO_DEEP, "nesting (expected: at most " + maxDepth() + " levels)");
        }
        position++;
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
        int outside = depth();
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
        while (depth() > outside) {
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
        int outside = depth();
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
        } while (depth() > outside);
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
        pop();
        position++;
    }
}
