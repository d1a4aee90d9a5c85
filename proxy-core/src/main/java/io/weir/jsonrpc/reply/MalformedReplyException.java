package io.weir.jsonrpc.reply;

import io.weir.jsonrpc.RawJson;
import org.jspecify.annotations.Nullable;

/** Signals that a node's answer is malformed. It has no stack trace, because it blames a node, not code. Immutable. */
public final class MalformedReplyException extends Exception {

    /** The problem of the answer. */
    public enum Reason {
        /** Not JSON, such as an HTML page. */
        NOT_JSON,
        /** JSON that is cut off. */
        TRUNCATED,
        /** More bytes after the JSON. */
        TRAILING_BYTES,
        /** Nested more than 1024 deep. */
        TOO_DEEP,
        /** More answers than calls. */
        TOO_MANY,
        /** JSON, but not an object. */
        NOT_AN_OBJECT,
        /** An id that is not a string, a number or {@code null}. */
        BAD_ID,
        /** A second occurrence of a relevant member. */
        DUPLICATE_MEMBER,
        /** Both a result and an error. */
        BOTH_RESULT_AND_ERROR,
        /** Neither a result nor an error. */
        NEITHER_RESULT_NOR_ERROR,
        /** An error that is not an object with an integer code and a text message. */
        BAD_ERROR
    }

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Not serialised, because {@link RawJson} is not serialisable. */
    private final transient @Nullable RawJson id;

    MalformedReplyException(Reason reason, String problem, @Nullable RawJson id) {
        super(problem, null, false, false);
        this.reason = reason;
        this.id = id;
    }

    /** Returns the same problem for an answer whose id was read later. */
    MalformedReplyException under(@Nullable RawJson lateId) {
        return new MalformedReplyException(reason, String.valueOf(getMessage()), lateId);
    }

    /** Returns the id in the answer; null if it has none, or none before the position at which its JSON breaks. */
    public @Nullable RawJson id() {
        return id;
    }

    public Reason reason() {
        return reason;
    }
}
