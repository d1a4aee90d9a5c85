package io.weir.jsonrpc.reply;

import io.weir.jsonrpc.RawJson;
import org.jspecify.annotations.Nullable;

/** Says that a node's answer is none. Has no stack trace: it blames a node, not code. Immutable. */
public final class MalformedReplyException extends Exception {

    /** What is wrong with the answer. */
    public enum Reason {
        /** No JSON, such as an HTML page. */
        NOT_JSON,
        /** JSON cut off. */
        TRUNCATED,
        /** More after the JSON. */
        TRAILING_BYTES,
        /** Nested over 1024 deep. */
        TOO_DEEP,
        /** More answers than there were calls. */
        TOO_MANY,
        /** JSON of another kind. */
        NOT_AN_OBJECT,
        /** An id that is no string, number or {@code null}. */
        BAD_ID,
        /** One of the members that count, twice. */
        DUPLICATE_MEMBER,
        /** A result and an error. */
        BOTH_RESULT_AND_ERROR,
        /** No result and no error. */
        NEITHER_RESULT_NOR_ERROR,
        /** An error that is no object with an integer code and a message in words. */
        BAD_ERROR
    }

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Not transported, should anybody do that. */
    private final transient @Nullable RawJson id;

    MalformedReplyException(Reason reason, String problem, @Nullable RawJson id) {
        super(problem, null, false, false);
        this.reason = reason;
        this.id = id;
    }

    /** The same of an answer that turned out to have this id. */
    MalformedReplyException under(@Nullable RawJson lateId) {
        return new MalformedReplyException(reason, String.valueOf(getMessage()), lateId);
    }

    /** The id that the answer names; null where it names none, or none before the place where its JSON breaks. */
    public @Nullable RawJson id() {
        return id;
    }

    /** What is wrong. */
    public Reason reason() {
        return reason;
    }
}
