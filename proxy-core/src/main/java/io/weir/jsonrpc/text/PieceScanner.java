package io.weir.jsonrpc.text;

import io.weir.jsonrpc.text.JsonSyntaxException.Kind;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A scanner over one JSON string, array or object that arrives in pieces. It finds where the value ends, and shows the objects of a list
 * to a reader in the same pass. It judges bytes as {@link JsonScanner#delimiters} does, wherever the pieces are cut. Its memory is
 * constant. Confined to one thread.
 */
public final class PieceScanner {

    /** Reader of the objects of a list while it is scanned. The arrays are modified afterwards. Confined to the scanner's thread. */
    public interface ElementReader {

        /**
         * Reads an object that begins at an index, if it knows by other means than the grammar that its bytes are JSON.
         *
         * @return the index behind the object; -1 if the scanner has to check it, and to show it then by {@link #take}
         */
        int pass(byte[] text, int from, int to);

        /**
         * Takes an object. Its strings of more than 512 bytes may be empty. Of one that was cut and is larger than 64 KiB without them
         * there is the first byte alone.
         */
        void take(byte[] text, int from, int to);

        /** Learns that the value is no list, or that an element is no object. Nothing more is shown. */
        void takeOther();
    }

    /** State between two bytes. */
    private enum State {
        /** Before the elements that are shown, or between two of them. */
        BETWEEN,
        /** Outside of strings. */
        OUTSIDE,
        STRING,
        /** Behind a backslash. */
        ESCAPE,
        /** Within the four digits of an escape. */
        DIGITS,
        /** Within a character of several bytes. */
        CHARACTER
    }

    /** Levels around the value. */
    private static final int AROUND = 1;

    /** Levels around the elements of a list. */
    private static final int IN_LIST = AROUND + 1;

    /** Bytes of a string that is kept. A hash of which each digit is escaped has fewer. */
    private static final int MAX_STRING = 512;

    /** Bytes that are kept of an element without its long strings. */
    private static final int MAX_ELEMENT = 64 << 10;

    /** Bytes that are passed again rather than that an object is cut. */
    private static final int MAX_LEFT = 2 << 10;

    private static final int HEX_DIGITS = 4;

    /** The kinds of the open containers, one bit each: set for an object. */
    private final long[] objects = new long[JsonScanner.ANSWER_DEPTH / Long.SIZE];

    private int depth;
    private State state = State.OUTSIDE;
    /** Bytes of the escape or the character that are still to come. */
    private int rest;

    /** The next byte of a character lies between these. */
    private int lowest;

    private int highest;

    private long passed;
    private boolean ended;

    private @Nullable ElementReader reader;
    private boolean inElement;
    /** The index in the piece from which on bytes of the element are not kept. */
    private int unkept;

    /** An element that was cut. */
    private byte[] kept = new byte[0];

    private int length;
    /** The number of bytes that were kept when the string began. */
    private int stringStart;

    private boolean longString;

    /** Begins before the first byte of a value, which is a member of an object. */
    public PieceScanner() {
        push(true);
    }

    /** Shows the elements to a reader. Called before the first byte is passed. */
    public void show(ElementReader elements) {
        reader = elements;
        state = State.BETWEEN;
    }

    /**
     * Returns the index behind the string that begins at an index; -1 if it is no string, does not end before {@code to}, or has anything
     * but plain ASCII.
     */
    public static int plainStringEnd(byte[] text, int from, int to) {
        if (from >= to || text[from] != '"') {
            return -1;
        }
        int usual = JsonScanner.usualEnd(text, from + 1, to - Long.BYTES);
        int end = usual < to && text[usual] == '"' ? usual : JsonScanner.plainEnd(text, usual, to);
        return end < to && text[end] == '"' ? end + 1 : -1;
    }

    /** Returns whether a value that begins with this byte can be scanned. */
    public static boolean begins(byte first) {
        return first == '"' || first == '[' || first == '{';
    }

    /** Returns whether the end of the value has been passed. */
    public boolean ended() {
        return ended;
    }

    /**
     * Passes the next piece of the value, as far as it belongs to it.
     *
     * @param more whether the bytes behind the piece are there too. Then an object that begins near its end is left for the next piece
     * @return the index behind the value; if it has not ended, the one from which on the next piece is wanted
     */
    public int pass(byte[] text, int from, int to, boolean more) throws JsonSyntaxException {
        int at = from;
        int stop = more ? Math.max(from + 1, to - MAX_LEFT) : to;
        unkept = from;
        while (at < (state == State.BETWEEN ? stop : to) && !ended) {
            at = switch (state) {
                case BETWEEN -> between(Objects.requireNonNull(reader), text, at, stop, to);
                case OUTSIDE -> outside(text, at, to, from);
                case STRING -> string(text, at, to, from);
                case ESCAPE -> escape(text, at, from);
                case DIGITS -> digit(text, at, from);
                case CHARACTER -> character(text, at, from);
            };
        }
        passed += at - from;
        if (inElement && state == State.OUTSIDE) {
            keep(text, at);
        } else if (inElement) {
            keepString(text, at);
        }
        return at;
    }

    private int outside(byte[] text, int from, int to, int start) throws JsonSyntaxException {
        int at = from;
        while (at < to) {
            byte b = text[at];
            if (b == '"') {
                int quote = JsonScanner.usualEnd(text, at + 1, to - Long.BYTES);
                if (depth == AROUND || quote == to || text[quote] != '"') {
                    beginString(text, at + 1);
                    return at + 1;
                }
                // Nearly every string ends in its piece, and has nothing to check.
                if (quote - at > MAX_STRING && inElement) {
                    keep(text, at + 1);
                    unkept = quote;
                }
                at = quote + 1;
                continue;
            }
            if (b == '{' || b == '[') {
                if (!push(b == '{')) {
                    throw new JsonSyntaxException(Kind.TOO_DEEP, offset(at, start), "nested too deeply");
                }
            } else if (b == '}' || b == ']') {
                if (b != closing()) {
                    throw unexpected(text, at, start);
                }
                depth--;
                if (depth == AROUND) {
                    ended = true;
                    return at + 1;
                }
                if (depth == IN_LIST && inElement) {
                    endElement(text, at + 1);
                    return at + 1;
                }
            } else if (b <= ' ' && !JsonScanner.isSpace(b)) {
                throw unexpected(text, at, start);
            }
            at++;
        }
        return at;
    }

    /** Enters a container; returns false if that is too deep. */
    private boolean push(boolean object) {
        if (depth == JsonScanner.ANSWER_DEPTH) {
            return false;
        }
        int word = depth / Long.SIZE;
        objects[word] = JsonScanner.with(objects[word], depth++, object);
        return true;
    }

    /** Returns the bracket that closes the innermost container. */
    private int closing() {
        int level = depth - 1;
        return (objects[level / Long.SIZE] & 1L << level) != 0 ? '}' : ']';
    }

    private void beginString(byte[] text, int at) {
        state = State.STRING;
        if (inElement) {
            keep(text, at);
            stringStart = length;
            longString = false;
        }
    }

    private int string(byte[] text, int from, int to, int start) throws JsonSyntaxException {
        int at = JsonScanner.plainEnd(text, from, to);
        if (at == to) {
            return at;
        }
        byte b = text[at];
        if (b == '"') {
            state = State.OUTSIDE;
            ended = depth == AROUND;
            if (inElement) {
                keepString(text, at);
            }
        } else if (b == '\\') {
            state = State.ESCAPE;
        } else {
            int lead = b & 0xff;
            rest = JsonString.lengthByLead(lead) - 1;
            if (rest < 1) {
                throw unexpected(text, at, start);
            }
            lowest = JsonString.lowestSecond(lead);
            highest = JsonString.highestSecond(lead);
            state = State.CHARACTER;
        }
        return at + 1;
    }

    /** Passes elements that begin before an index until one has to be checked. */
    private int between(ElementReader elements, byte[] text, int from, int stop, int to) {
        int at = from;
        while (at < stop) {
            byte b = text[at];
            if (b == '{' && depth == IN_LIST) {
                int end = elements.pass(text, at, to);
                if (end < 0) {
                    inElement = true;
                    unkept = at;
                    state = State.OUTSIDE;
                    return at;
                }
                at = end;
            } else if (depth == AROUND ? b == '[' && push(false) : b == ',' || JsonScanner.isSpace(b)) {
                at++;
            } else {
                if (depth == AROUND || b != ']') {
                    elements.takeOther();
                }
                state = State.OUTSIDE;
                return at;
            }
        }
        return at;
    }

    private void endElement(byte[] text, int end) {
        ElementReader elements = Objects.requireNonNull(reader);
        inElement = false;
        state = State.BETWEEN;
        if (length == 0) {
            elements.take(text, unkept, end);
            return;
        }
        keep(text, end);
        elements.take(kept, 0, length > MAX_ELEMENT ? 1 : length);
        length = 0;
    }

    /** Keeps the bytes of an element up to an index. */
    private void keep(byte[] text, int to) {
        int count = to - unkept;
        if (length + count > MAX_ELEMENT) {
            length = MAX_ELEMENT + 1;
        } else {
            if (length + count > kept.length) {
                kept = Arrays.copyOf(kept, 2 * (length + count));
            }
            System.arraycopy(text, unkept, kept, length, count);
            length += count;
        }
        unkept = to;
    }

    /** Keeps the next bytes of a string, unless it is long. */
    private void keepString(byte[] text, int to) {
        longString |= length - stringStart + to - unkept > MAX_STRING;
        if (longString) {
            length = Math.min(length, stringStart);
            unkept = to;
        } else {
            keep(text, to);
        }
    }

    private int escape(byte[] text, int at, int start) throws JsonSyntaxException {
        switch (text[at]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> state = State.STRING;
            case 'u' -> {
                rest = HEX_DIGITS;
                state = State.DIGITS;
            }
            default -> throw unexpected(text, at, start);
        }
        return at + 1;
    }

    private int digit(byte[] text, int at, int start) throws JsonSyntaxException {
        if (Character.digit(text[at], 16) < 0) {
            throw unexpected(text, at, start);
        }
        if (--rest == 0) {
            state = State.STRING;
        }
        return at + 1;
    }

    private int character(byte[] text, int at, int start) throws JsonSyntaxException {
        int b = text[at] & 0xff;
        if (b < lowest || b > highest) {
            throw unexpected(text, at, start);
        }
        lowest = JsonString.LOWEST_CONTINUATION;
        highest = JsonString.HIGHEST_CONTINUATION;
        if (--rest == 0) {
            state = State.STRING;
        }
        return at + 1;
    }

    private JsonSyntaxException unexpected(byte[] text, int at, int start) {
        return new JsonSyntaxException(
                Kind.UNEXPECTED_BYTE, offset(at, start), String.format("0x%02x (expected: JSON)", text[at]));
    }

    private int offset(int at, int start) {
        return (int) Math.min(Integer.MAX_VALUE, passed + at - start);
    }
}
