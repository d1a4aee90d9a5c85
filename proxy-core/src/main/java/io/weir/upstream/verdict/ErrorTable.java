package io.weir.upstream.verdict;

import static io.weir.upstream.verdict.ErrorClass.CREDENTIALS;
import static io.weir.upstream.verdict.ErrorClass.EXECUTION_VERDICT;
import static io.weir.upstream.verdict.ErrorClass.NODE_FAULT;
import static io.weir.upstream.verdict.ErrorClass.RATE_LIMITED;
import static io.weir.upstream.verdict.ErrorClass.TOO_LARGE;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.method.MethodRole;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.upstream.verdict.ErrorRows.ErrorRow;
import io.weir.upstream.verdict.Verdict.Lack;
import io.weir.upstream.verdict.Verdict.Then;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Table that decides the meaning of a node's error. It looks at method, code, message, data and HTTP status together,
 * because nodes use the same code for different things. Words that a node quotes from the caller do not count. Under a
 * method outside the catalogue, no words count against the node's rate, credentials or health. The first matching row
 * decides. Immutable and thread-safe.
 */
public final class ErrorTable {

    /** Of a transaction that the node already has. Asking another node would only spread it. */
    private static final Wording KNOWN_TRANSACTION = Wording.of(ErrorRows.KNOWN_TRANSACTION);

    private static final int INTERNAL = ErrorCode.INTERNAL_ERROR.code();
    private static final int INVALID_INPUT = ErrorCode.INVALID_INPUT.code();
    private static final int NO_METHOD = ErrorCode.METHOD_NOT_FOUND.code();
    private static final int NO_METHOD_OF_VENDORS = -32604;
    private static final int RATE_OF_QUICKNODE = -32007;
    private static final int UNKNOWN_TO_VIEM = -1;

    /** Codes at which viem and alloy repeat a call, whatever the message says. */
    private static final Set<Integer> REPEATED =
            Set.of(INTERNAL, ErrorCode.LIMIT_EXCEEDED.code(), RATE_OF_QUICKNODE, UNKNOWN_TO_VIEM);

    private static final List<ErrorRow> ROWS = ErrorRows.all();

    private final CleanError cleanError = new CleanError();

    /**
     * Returns the class of an answer by its HTTP status alone; null if the body decides. The body decides all the same if the class is a
     * rate limit or a fault of the node, and the body answers the call.
     */
    public static @Nullable ErrorClass ofStatus(int status) {
        return switch (status) {
            case 401, 403 -> CREDENTIALS;
            case 402, 429 -> RATE_LIMITED;
            default -> status >= 500 ? NODE_FAULT : null;
        };
    }

    /** Returns whether an error's code alone says that the node limits the rate: such codes have no other meaning. */
    public static boolean isRateLimit(int code) {
        return code == 429 || code == 402;
    }

    /** Returns the meaning of an error as the answer to this call. */
    public Verdict verdict(RpcCall call, RpcError error, int status) {
        return verdict(NodeError.of(MethodCatalogue.ofName(call.method()), call, error, status));
    }

    /** Returns the meaning of an error as the single answer to a batch of at least one call, all with methods of the catalogue. */
    public Verdict batchVerdict(List<RpcCall> calls, RpcError error, int status) {
        return verdict(NodeError.ofBatch(calls, error, status));
    }

    /** Returns the beginning of an error's text in lower case, without the parts that quote these calls. */
    public String ownWords(List<RpcCall> calls, RpcError error) {
        return NodeError.ofBatch(calls, error, 200).callerText().ownWordsStrictly();
    }

    public Verdict verdict(NodeError error) {
        for (ErrorRow row : ROWS) {
            if (row.matches(error)) {
                return Verdict.ofError(row.errorClass(), lack(row, error), elsewhere(row, error), row.name());
            }
        }
        throw new IllegalStateException("rows: none matches (expected: the last one matches everything)");
    }

    private static Lack lack(ErrorRow row, NodeError error) {
        return switch (row.errorClass()) {
            case LACKS_DATA -> row.nothingFound() ? Lack.OBJECT : Lack.DATA;
            // If only a parameter is not supported, such as a kind of tracer, the node has the method.
            case UNSUPPORTED ->
                error.is(NO_METHOD) || error.is(NO_METHOD_OF_VENDORS) || error.namesMethod()
                        ? Lack.METHOD
                        : Lack.NOTHING;
            default -> Lack.NOTHING;
        };
    }

    private static Then elsewhere(ErrorRow row, NodeError error) {
        Then then = row.errorClass().then();
        if (error.facts().role() != MethodRole.SEND_RAW) {
            return then;
        }
        // Another node may have room, funds or a nonce for a transaction that this one does not take.
        if (row.errorClass() == EXECUTION_VERDICT) {
            return error.says(KNOWN_TRANSACTION) ? Then.FINAL : Then.ELSEWHERE_UNDONE;
        }
        // Nor does a node take one if it lacks the state to check it, or finds it too large.
        boolean refused = row.errorClass() == ErrorClass.LACKS_DATA || row.errorClass() == TOO_LARGE;
        return refused ? Then.ELSEWHERE_UNDONE : then;
    }

    /**
     * Returns the error as a client may see it. A revert gets the common form. Any other error is cleaned and keeps its
     * code. Two exceptions become {@code -32000}, because clients would repeat a call that fails again. One is a lasting
     * error under the code of an internal one. The other is a call or result that is too large, under any code that clients
     * repeat. The code {@code -32000} also lets graph-node try a smaller range.
     *
     * @param parsed the same error in the form that the table reads
     */
    public RpcError clean(NodeError parsed, RpcError error, Verdict verdict) {
        if (verdict.errorClass() == EXECUTION_VERDICT && RevertError.is(parsed)) {
            return RevertError.of(parsed, error.message());
        }
        RpcError clean = cleanError.of(error);
        return misleads(clean.code(), verdict) ? new RpcError(INVALID_INPUT, clean.message(), clean.data()) : clean;
    }

    /** Returns whether clients would repeat a call at this code although it will fail again. */
    private static boolean misleads(int code, Verdict verdict) {
        ErrorClass errorClass = verdict.errorClass();
        return errorClass == TOO_LARGE
                ? REPEATED.contains(code)
                : code == INTERNAL && errorClass != null && errorClass.isShown();
    }
}
