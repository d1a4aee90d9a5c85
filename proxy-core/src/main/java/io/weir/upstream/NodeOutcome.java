package io.weir.upstream;

import static io.weir.upstream.verdict.ErrorClass.NODE_FAULT;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.verdict.ErrorClass;
import io.weir.upstream.verdict.Verdict;
import io.weir.upstream.verdict.Verdict.Effect;
import io.weir.upstream.verdict.Verdict.Lack;
import io.weir.upstream.verdict.Verdict.Then;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Outcome of an attempt at a node. Immutable. */
public sealed interface NodeOutcome permits NodeOutcome.Answered, NodeOutcome.Failed {

    /** Returns the meaning; null for a result, and for an error before the pool has judged it. */
    @Nullable
    Verdict verdict();

    /**
     * The node answered with a result or with an error of its own.
     *
     * @param status the HTTP status of the answer; 200 if it did not come over HTTP
     * @param verdict the meaning of an error; null for a result, and before the pool has judged it
     * @param retryAfterSeconds the pause that the node asked for although it answered; 0 if it named none
     */
    record Answered(RpcReply reply, int status, @Nullable Verdict verdict, int retryAfterSeconds)
            implements NodeOutcome {

        /** Creates an answer of a node that asked for no pause. */
        public Answered(RpcReply reply, int status, @Nullable Verdict verdict) {
            this(reply, status, verdict, 0);
        }

        /** Creates a well-formed answer that is not judged yet. */
        public Answered(RpcReply reply) {
            this(reply, 200, null);
        }
    }

    /**
     * The node gave no usable answer.
     *
     * @param executed whether the node may have executed the call
     * @param detail for logs: what was seen; names no address, credential or header
     * @param retryAfterSeconds the pause that the node asked for, with a rate limit or HTTP 503; 0 if it named none
     * @param flaw what was wrong with the answer; null if nothing was sent, or if a well-formed answer refused the call
     * @param counts whether the node's health learns from it; false if it learned from another call of the same batch, or if
     *     any caller can cause the failure
     * @param said the node's own JSON-RPC error, as clients may see it; null if it gave none, or one that clients may not see
     */
    record Failed(
            Fault fault,
            Executed executed,
            String detail,
            int retryAfterSeconds,
            @Nullable Flaw flaw,
            boolean counts,
            RpcReply.@Nullable Failure said)
            implements NodeOutcome {

        /** Creates a failure that counts. */
        public Failed(Fault fault, Executed executed, String detail, int retryAfterSeconds, @Nullable Flaw flaw) {
            this(fault, executed, detail, retryAfterSeconds, flaw, true, null);
        }

        /** Creates a failure without an answer that could be flawed. */
        public Failed(Fault fault, Executed executed, String detail, int retryAfterSeconds) {
            this(fault, executed, detail, retryAfterSeconds, null);
        }

        /** A failure says nothing about the node if it does not count, or if the node never had the call and the time was over. */
        @Override
        public Verdict verdict() {
            boolean silent = !counts || (fault == Fault.TIMEOUT && executed == Executed.NO);
            Then then = fault.again == Again.NOWHERE
                    ? Then.FINAL
                    : executed == Executed.NO ? Then.ELSEWHERE_UNDONE : Then.ELSEWHERE;
            return new Verdict(
                    fault.errorClass,
                    silent ? Effect.NONE : fault.effect,
                    then,
                    fault.again == Again.HERE,
                    Lack.NOTHING,
                    fault.label());
        }

        /** Returns the same failure, not counted for the node's health. */
        public Failed uncounted() {
            return new Failed(fault, executed, detail, retryAfterSeconds, flaw, false, said);
        }

        /** Creates the failure of an answer that a later check rejected. Only reads are checked so, therefore nothing was executed. */
        public static Failed unproven(Flaw flaw, String detail) {
            return new Failed(flaw.fault(), Executed.NO, detail, 0, flaw);
        }

        /** Creates the failure of a flawed answer. The node had the call. */
        public static Failed of(Flaw flaw, String detail) {
            return new Failed(flaw.fault(), Executed.MAYBE, detail, 0, flaw);
        }
    }

    /** Whether a node may have executed a call. */
    enum Executed {
        /** It cannot have: the request was not sent, or was refused as a whole. */
        NO,
        /** It may have. */
        MAYBE
    }

    /** Nodes that may answer a call after a failure. */
    enum Again {
        /** The same node a moment later, and any other. */
        HERE,
        /** Another node. */
        ELSEWHERE,
        /** No node: the call would fail everywhere. */
        NOWHERE
    }

    /** Kind of failure, with its consequences for the node, the call and the client. */
    enum Fault {
        /** No connection could be made. */
        CONNECT(NODE_FAULT, Effect.OUT, Again.HERE, none("not reachable")),
        /** The connection broke before the answer was complete. */
        DISCONNECTED(NODE_FAULT, Effect.OUT, Again.HERE, none("the connection broke")),
        /**
         * A reused connection broke before an answer began. The node may have closed it while it was unused, so this says
         * nothing about the node.
         */
        STALE_CONNECTION(null, Effect.NONE, Again.HERE, none("the connection broke")),
        /** No answer in time. */
        TIMEOUT(NODE_FAULT, Effect.FAULT, Again.HERE, none("no answer in time")),
        /** HTTP 429 or 402, or an error that says the same. */
        RATE_LIMITED(ErrorClass.RATE_LIMITED, Effect.THROTTLED, Again.HERE, none("rate limited")),
        /** HTTP 401 or 403, or an error that says the same. */
        CREDENTIALS(ErrorClass.CREDENTIALS, Effect.OUT, Again.ELSEWHERE, none("refused")),
        /** HTTP 5xx, or an error of the node's own. */
        SERVER_ERROR(NODE_FAULT, Effect.FAULT, Again.HERE, none("server error")),
        /** Another status, a content coding that was not requested, or no JSON-RPC answer to this call. */
        BAD_ANSWER(NODE_FAULT, Effect.FAULT, Again.HERE, none("no valid answer")),
        /** The answer is larger than allowed. */
        TOO_LARGE(
                ErrorClass.TOO_LARGE,
                Effect.ANSWERED,
                Again.NOWHERE,
                lasting("the result is larger than this proxy passes on")),
        /** HTTP 413: the call is larger, or asks for more, than the node accepts. */
        CALL_TOO_LARGE(
                ErrorClass.TOO_LARGE,
                Effect.ANSWERED,
                Again.ELSEWHERE,
                lasting("the call asks for more than an upstream gives")),
        /** The connection had to be closed because of another call on it. */
        INTERRUPTED(null, Effect.NONE, Again.HERE, none("the connection broke")),
        /** Too many calls were waiting for a connection. */
        OVERLOADED(null, Effect.NONE, Again.HERE, none("too many calls are waiting")),
        /** The proxy had no budget for the answer: too many bytes were in flight. */
        OVER_BUDGET(null, Effect.NONE, Again.NOWHERE, RpcReply.NO_ROOM),
        /** A hash, a root or a comparison refutes the well-formed answer. */
        FALSE_ANSWER(null, Effect.NONE, Again.ELSEWHERE, none("what was answered is not proven")),
        /** The node does not have yet what it was asked for, although it exists. */
        BEHIND(null, Effect.NONE, Again.HERE, none("none has the data of this block yet")),
        /** The answer contains something unknown that no check can prove. */
        UNVERIFIABLE(null, Effect.NONE, Again.ELSEWHERE, lasting("no upstream's answer can be verified")),
        /** The proxy had no budget or no time to verify the answer. */
        UNCHECKED(
                null,
                Effect.NONE,
                Again.NOWHERE,
                RpcReply.unavailable("overloaded: the answer could not be verified in time")),
        /** The client was closed. */
        CLOSED(null, Effect.NONE, Again.ELSEWHERE, none("not reachable")),
        /** The proxy itself failed, for example for lack of memory. */
        INTERNAL(null, Effect.NONE, Again.ELSEWHERE, none("the answer could not be read"));

        private final @Nullable ErrorClass errorClass;
        private final Effect effect;
        private final Again again;

        @SuppressWarnings("ImmutableEnumChecker") // A reply is immutable.
        private final RpcReply.Failure forClient;

        private final String label = name().toLowerCase(Locale.ROOT);

        Fault(@Nullable ErrorClass errorClass, Effect effect, Again again, RpcReply.Failure forClient) {
            this.errorClass = errorClass;
            this.effect = effect;
            this.again = again;
            this.forClient = forClient;
        }

        /** Returns the error that the client sees if every node failed, this one last. */
        public RpcReply.Failure forClient() {
            return forClient;
        }

        /** Returns the name in metrics and traces. */
        public String label() {
            return label;
        }

        private static RpcReply.Failure none(String reason) {
            return RpcReply.unavailable("no upstream could answer: " + reason);
        }

        /** Clients do not repeat calls after such an error, which would come again. */
        private static RpcReply.Failure lasting(String text) {
            return RpcReply.failure(ErrorCode.INVALID_INPUT.error(text));
        }
    }

    /** Defect of what a node sent, with the fault that follows from it. */
    enum Flaw {
        NOT_HTTP(Fault.BAD_ANSWER),
        /** Inconsistent lengths, chunks or frames. */
        BROKEN_FRAMING(Fault.BAD_ANSWER),
        /** The connection ended within the answer. */
        CUT_OFF(Fault.DISCONNECTED),
        SERVER_ERROR(Fault.SERVER_ERROR),
        /** A status other than 2xx without a JSON-RPC error. */
        HTTP_STATUS(Fault.BAD_ANSWER),
        /** The node refused to open a WebSocket. */
        NO_WEBSOCKET(Fault.CONNECT),
        /** A content coding other than gzip. */
        UNREQUESTED_CODING(Fault.BAD_ANSWER),
        /** A body that is not the gzip that its head names. */
        BROKEN_CODING(Fault.BAD_ANSWER),
        TOO_LARGE(Fault.TOO_LARGE),
        /** Not JSON, for example an HTML page. */
        NOT_JSON(Fault.BAD_ANSWER),
        /** Truncated JSON in a complete frame. */
        TRUNCATED(Fault.BAD_ANSWER),
        /** More bytes after the JSON. */
        TRAILING_BYTES(Fault.BAD_ANSWER),
        TOO_DEEP(Fault.BAD_ANSWER),
        /** JSON of another type. */
        NOT_AN_OBJECT(Fault.BAD_ANSWER),
        /** A single result instead of those of a batch. */
        NOT_AN_ARRAY(Fault.BAD_ANSWER),
        /** An id that is not a string, a number or {@code null}. */
        BAD_ID(Fault.BAD_ANSWER),
        /** More answers than there were calls in a batch. */
        TOO_MANY(Fault.BAD_ANSWER),
        /** Two answers to this call among the answers to its batch. */
        DUPLICATE_ANSWER(Fault.BAD_ANSWER),
        /** An id other than the one sent. */
        WRONG_ID(Fault.BAD_ANSWER),
        /** A significant member twice. */
        DUPLICATE_MEMBER(Fault.BAD_ANSWER),
        /** A result and an error. */
        BOTH_RESULT_AND_ERROR(Fault.BAD_ANSWER),
        /** No result and no error. */
        NEITHER_RESULT_NOR_ERROR(Fault.BAD_ANSWER),
        /** An error that is not an object with an integer code and a string message. */
        BAD_ERROR(Fault.BAD_ANSWER),
        /** A result of another form than the method's. */
        WRONG_FORM(Fault.BAD_ANSWER),
        /** A well-formed result about something else than the call. */
        UNFIT(Fault.FALSE_ANSWER),
        /** A hash, a root or a comparison fails. */
        FALSE_HASH(Fault.FALSE_ANSWER),
        /** Another block instead of the right one, according to two other nodes. */
        OTHER_BLOCK(Fault.FALSE_ANSWER),
        /** Another result than two other nodes gave. */
        OTHER_RESULT(Fault.FALSE_ANSWER),
        /** Content that no known hash covers, although another node's answer to the same call was proven or may be. */
        UNVERIFIABLE(Fault.UNVERIFIABLE);

        private final Fault fault;

        Flaw(Fault fault) {
            this.fault = fault;
        }

        public Fault fault() {
            return fault;
        }
    }
}
