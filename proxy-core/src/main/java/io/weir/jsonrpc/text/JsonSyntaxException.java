package io.weir.jsonrpc.text;

/** Says where and why a text is not JSON. Immutable; has no stack trace, since callers answer it and go on. */
public final class JsonSyntaxException extends Exception {

    /** What is wrong, as far as it makes a difference to anybody. */
    public enum Kind {
        /** A byte that may not stand where it stands. */
        UNEXPECTED_BYTE,
        /** The text ends within a value. */
        TRUNCATED,
        /** Deeper nesting than the bound. */
        TOO_DEEP,
        /** A complete value, and something after it. */
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

    /** What is wrong. */
    public Kind kind() {
        return kind;
    }

    /** How many bytes into the text. */
    public int position() {
        return position;
    }

    /** Where, what stands there and what should; no more of the text than one byte. */
    @Override
    public String getMessage() {
        return "byte " + position + ": " + problem;
    }
}
