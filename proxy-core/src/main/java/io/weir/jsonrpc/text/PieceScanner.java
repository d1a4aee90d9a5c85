package io.weir.jsonrpc.text;

import io.weir.jsonrpc.text.JsonSyntaxException.Kind;

/**
 * A scanner over one JSON string, array or object that arrives in pieces: it finds where the value ends. It judges bytes as
 * {@link JsonScanner#delimiters} does, wherever the pieces are cut. Its memory is constant. Confined to one thread.
 */
public final class PieceScanner extends BracketStack {

    /** State between two bytes. Only within a string can it be other than {@link #OUTSIDE}. */
    private enum State {
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

    private static final int HEX_DIGITS = 4;

    private State state = State.OUTSIDE;
    /** Bytes of the escape or the character that are still to come. */
    private int rest;

    /** The next byte of a character lies between these. */
    private int lowest;

    private int highest;

    private long passed;
    private boolean ended;

    /** Begins before the first byte of a value, which is a member of an object. */
    public PieceScanner() {
        super(ANSWER_DEPTH);
        push(true);
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
     * @return the index behind the value, or {@code to} if it has not ended
     */
    public int pass(byte[] text, int from, int to) throws JsonSyntaxException {
        int at = from;
        while (at < to && !ended) {
            at = switch (state) {
                case OUTSIDE -> outside(text, at, to, from);
                case STRING -> string(text, at, to, from);
                case ESCAPE -> escape(text, at, from);
                case DIGITS -> digit(text, at, from);
                case CHARACTER -> character(text, at, from);
            };
        }
        passed += at - from;
        return at;
    }

    private int outside(byte[] text, int from, int to, int start) throws JsonSyntaxException {
        int at = from;
        while (at < to) {
            byte b = text[at];
            if (b == '"') {
                int quote = TokenScanner.usualEnd(text, at + 1, to - Long.BYTES);
                if (depth() == AROUND || quote == to || text[quote] != '"') {
                    state = State.STRING;
                    return at + 1;
                }
                // Nearly every string ends in its piece, and has nothing to check.
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
                pop();
                if (depth() == AROUND) {
                    ended = true;
                    return at + 1;
                }
            } else if (b <= ' ' && !TokenScanner.isSpace(b)) {
                throw unexpected(text, at, start);
            }
            at++;
        }
        return at;
    }

    private int string(byte[] text, int from, int to, int start) throws JsonSyntaxException {
        int at = TokenScanner.plainEnd(text, from, to);
        if (at == to) {
            return at;
        }
        byte b = text[at];
        if (b == '"') {
            state = State.OUTSIDE;
            ended = depth() == AROUND;
        } else if (b == '\\') {
            state = State.ESCAPE;
        } else {
            int lead = b & 0xff;
            rest = Utf8.lengthByLead(lead) - 1;
            if (rest < 1) {
                throw unexpected(text, at, start);
            }
            lowest = Utf8.lowestSecond(lead);
            highest = Utf8.highestSecond(lead);
            state = State.CHARACTER;
        }
        return at + 1;
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
        lowest = Utf8.LOWEST_CONTINUATION;
        highest = Utf8.HIGHEST_CONTINUATION;
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
