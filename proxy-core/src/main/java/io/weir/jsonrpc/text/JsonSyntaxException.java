package io.weir.jsonrpc.text;

/**
 * Signals where and why a text is not JSON. Immutable. It has no stack trace, because callers answer it and continue.
 */
public final class JsonSyntaxException extends Exception {

    /** The problem, as far as callers distinguish it. */
    public enum Kind {
        /** A byte that is not allowed at its position. */
        UNEXPECTED_BYTE,
        /** The text ends within a value. */
        TRUNCATED,
        /** Nesting deeper than the bound. */
        TOO_DEEP,
        /** A complete value, followed by more. */
        TRAILING_BYTES
    }

    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final int position;
    private final String problem;

    JsonSyntaxException(Kind kind, int position, String problem) {
        super(null, null, false, false);
        this.kind = kind;
        this.position = position;
        this.problem = problem;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the position in bytes from the start of the text. */
    public int position() {
        return position;
    }

    /** Returns the position, the byte found and the expectation, but no more of the text than one byte. */
    @Override
    public String getMessage() {
        return "byte " + position + ": " + problem;
    }
}
