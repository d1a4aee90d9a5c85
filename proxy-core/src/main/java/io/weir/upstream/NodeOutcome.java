package io.weir.upstream;

import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.verdict.Verdict;
import org.jspecify.annotations.Nullable;

/** How an attempt at a node ended. Immutable. */
public sealed interface NodeOutcome permits NodeOutcome.Answered, NodeOutcome.Failed {

    /**
     * The node answered: a result, or an error of its own.
     *
     * @param status the status of HTTP that it came with; 200 where it came another way
     * @param verdict what an error means; null for a result, and before the pool has judged it
     */
    record Answered(RpcReply reply, int status, @Nullable Verdict verdict) implements NodeOutcome {

        /** As it came, in a good form. */
        public Answered(RpcReply reply) {
            this(reply, 200, null);
        }
    }

    /**
     * The node gave no usable answer.
     *
     * @param executed whether the node may have carried the call out
     * @param detail for logs: what was seen; names no address, credential or header
     * @param retryAfterSeconds what a rate limited node asked for; else 0
     * @param flaw what was wrong with what the node sent; null where it sent nothing, or refused in good form
     * @param counts whether the node's health learns from it; false where it has learned from another call of the same batch, or
     *     where any caller can bring the failure about
     */
    record Failed(
            Fault fault,
            Executed executed,
            String detail,
            int retryAfterSeconds,
            @Nullable Flaw flaw,
            boolean counts) implements NodeOutcome {

        /** A failure that counts. */
        public Failed(Fault fault, Executed executed, String detail, int retryAfterSeconds, @Nullable Flaw flaw) {
            this(fault, executed, detail, retryAfterSeconds, flaw, true);
        }

        /** Without an answer that could be flawed. */
        public Failed(Fault fault, Executed executed, String detail, int retryAfterSeconds) {
            this(fault, executed, detail, retryAfterSeconds, null);
        }

        /** The same failure, from which the node's health learns nothing. */
        public Failed uncounted() {
            return new Failed(fault, executed, detail, retryAfterSeconds, flaw, false);
        }

        /** An answer that was found not to count once it was looked at: only what is read, and nothing else happened. */
        public static Failed unproven(Flaw flaw, String detail) {
            return new Failed(flaw.fault(), Executed.NO, detail, 0, flaw);
        }

        /** A flawed answer: the node had the call. */
        public static Failed of(Flaw flaw, String detail) {
            return new Failed(flaw.fault(), Executed.MAYBE, detail, 0, flaw);
        }
    }

    /** Whether a node may have carried a call out. */
    enum Executed {
        /** It cannot have: the request did not leave, or was refused whole. */
        NO,
        /** It may have. */
        MAYBE
    }

    /** What went wrong: what follows for the call and for the node. */
    enum Fault {
        /** No connection could be made. */
        CONNECT,
        /** The connection broke before the answer was whole. */
        DISCONNECTED,
        /**
         * A connection that carried calls before broke before an answer began: the node may have closed it while it was
         * unused, so that this says nothing of the node.
         */
        STALE_CONNECTION,
        /** No answer in time. */
        TIMEOUT,
        /** HTTP 429 or 402, or an error with that code. */
        RATE_LIMITED,
        /** HTTP 401 or 403. */
        CREDENTIALS,
        /** HTTP 5xx. */
        SERVER_ERROR,
        /** Another status, a coding that was not asked for, or no JSON-RPC answer to this call. */
        BAD_ANSWER,
        /** The answer is larger than allowed. */
        TOO_LARGE,
        /** HTTP 413: the call is larger, or asks for more, than the node takes. */
        CALL_TOO_LARGE,
        /** The connection had to be closed because of another call on it. */
        INTERRUPTED,
        /** Too many calls were waiting for a connection. */
        OVERLOADED,
        /** The proxy had no room for the answer: too many bytes were in flight. */
        NO_ROOM,
        /** The answer in good form says what a hash, a root or a comparison refutes. */
        FALSE_ANSWER,
        /** The answer holds something that is not known, so that nothing proves it. */
        UNVERIFIABLE,
        /** The proxy had no room to verify the answer, or no time. */
        UNCHECKED,
        /** The client was closed. */
        CLOSED,
        /** The proxy itself failed, as where its memory is used up. */
        INTERNAL
    }

    /** In which way what a node sent is wrong, and which fault that is. */
    enum Flaw {
        /** No HTTP. */
        NOT_HTTP(Fault.BAD_ANSWER),
        /** Lengths, chunks or frames that do not fit. */
        BROKEN_FRAMING(Fault.BAD_ANSWER),
        /** The connection ended within the answer. */
        CUT_OFF(Fault.DISCONNECTED),
        /** HTTP 5xx. */
        SERVER_ERROR(Fault.SERVER_ERROR),
        /** A status that is not 2xx, without an error of JSON-RPC. */
        HTTP_STATUS(Fault.BAD_ANSWER),
        /** A WebSocket was asked for, and refused. */
        NO_WEBSOCKET(Fault.CONNECT),
        /** A content coding that was not asked for. */
        UNASKED_CODING(Fault.BAD_ANSWER),
        /** Larger than allowed. */
        TOO_LARGE(Fault.TOO_LARGE),
        /** No JSON, such as an HTML page. */
        NOT_JSON(Fault.BAD_ANSWER),
        /** JSON cut off, though its frame is whole. */
        TRUNCATED(Fault.BAD_ANSWER),
        /** More after the JSON. */
        TRAILING_BYTES(Fault.BAD_ANSWER),
        /** Nested too deep. */
        TOO_DEEP(Fault.BAD_ANSWER),
        /** JSON of another kind. */
        NOT_AN_OBJECT(Fault.BAD_ANSWER),
        /** A single result in place of those of a batch. */
        NOT_AN_ARRAY(Fault.BAD_ANSWER),
        /** An id that is no string, number or {@code null}. */
        BAD_ID(Fault.BAD_ANSWER),
        /** More answers than there were calls in a batch. */
        TOO_MANY(Fault.BAD_ANSWER),
        /** No answer to this call among those to its batch. */
        MISSING(Fault.BAD_ANSWER),
        /** Two answers to this call among those to its batch. */
        TWICE(Fault.BAD_ANSWER),
        /** Another id than the one asked under. */
        WRONG_ID(Fault.BAD_ANSWER),
        /** One of the members that count, twice. */
        DUPLICATE_MEMBER(Fault.BAD_ANSWER),
        /** A result and an error. */
        BOTH_RESULT_AND_ERROR(Fault.BAD_ANSWER),
        /** No result and no error. */
        NEITHER_RESULT_NOR_ERROR(Fault.BAD_ANSWER),
        /** An error that is no object with an integer code and a message in words. */
        BAD_ERROR(Fault.BAD_ANSWER),
        /** A hash, a root or a comparison fails. */
        FALSE_HASH(Fault.FALSE_ANSWER),
        /** A block in the place of another one, as two other nodes say. */
        OTHER_BLOCK(Fault.FALSE_ANSWER),
        /** What no known hash covers, where another node's answer for the same was proven, or may be. */
        UNVERIFIABLE(Fault.UNVERIFIABLE);

        private final Fault fault;

        Flaw(Fault fault) {
            this.fault = fault;
        }

        /** The fault that it is. */
        public Fault fault() {
            return fault;
        }
    }
}
