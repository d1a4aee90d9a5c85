package io.weir.upstream.verdict;

import static io.weir.upstream.verdict.ErrorClass.EXECUTION_VERDICT;
import static io.weir.upstream.verdict.ErrorClass.TOO_LARGE;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.upstream.verdict.ErrorClass.Then;
import io.weir.upstream.verdict.ErrorClass.View;
import java.util.List;
import java.util.Set;

/**
 * The meaning of a node's error, decided from method, code, message, data and HTTP status together: nodes use the same code for
 * different things. Words that a node quotes from the caller do not count. Under a method outside the catalogue no words say
 * anything of the node's rate, credentials or health. The first row that matches decides. Immutable and thread-safe.
 */
public final class ErrorTable {

    /** Another node may have room, funds or a nonce for a transaction that this one does not take. */
    private static final String RESENT = "eth_sendRawTransaction";

    /** The transaction is there already: asking elsewhere would only spread it. */
    private static final Wording KNOWN_TRANSACTION =
            Wording.of("already known", "known transaction", "already imported", "already exists", "already in");

    private static final int INTERNAL = ErrorCode.INTERNAL_ERROR.code();
    private static final int INVALID_INPUT = ErrorCode.INVALID_INPUT.code();
    private static final int RATE_OF_QUICKNODE = -32007;
    private static final int UNKNOWN_TO_VIEM = -1;

    /** Codes at which viem and alloy repeat a call, whatever the message says. */
    private static final Set<Integer> REPEATED =
            Set.of(INTERNAL, ErrorCode.LIMIT_EXCEEDED.code(), RATE_OF_QUICKNODE, UNKNOWN_TO_VIEM);

    private static final List<ErrorRow> ROWS = ErrorRows.all();

    private final CleanError cleanError = new CleanError();

    /** Returns what an error means as the answer to a call without parameters. */
    public Verdict verdict(String method, RpcError error, int status) {
        return verdict(withoutParams(method), error, status);
    }

    /** Returns what an error means as the answer to this call. */
    public Verdict verdict(RpcCall call, RpcError error, int status) {
        return verdict(NodeError.of(call, error, status));
    }

    /** Returns what an error means as the one answer to a batch of one call or more, all of methods in the catalogue. */
    public Verdict batchVerdict(List<RpcCall> calls, RpcError error, int status) {
        return verdict(NodeError.ofBatch(calls, error, status));
    }

    /** Returns what an error means as the answer to a probe. */
    public Verdict probeVerdict(RpcCall call, RpcError error, int status) {
        return verdict(NodeError.ofProbe(call, error, status));
    }

    /** Whether a method is in the catalogue, so that no caller made its name up. */
    public static boolean isKnown(String method) {
        return CallerText.isKnown(method);
    }

    /** Whether a node names the call's method in an error. */
    public boolean names(RpcCall call, RpcError error) {
        return names(NodeError.of(call, error, 200));
    }

    /** Whether a node names the call's method in an error. */
    public boolean names(NodeError error) {
        return error.namesMethod();
    }

    /** The beginning of an error's text in small letters, without what a node quotes there from these calls. */
    public String ownWords(List<RpcCall> calls, RpcError error) {
        return NodeError.ofBatch(calls, error, 200).callerText().toldStrictly();
    }

    private static RpcCall withoutParams(String method) {
        return new RpcCall(RawJson.NULL, method, null);
    }

    /** Returns the meaning of an error. */
    public Verdict verdict(NodeError error) {
        for (ErrorRow row : ROWS) {
            if (row.matches(error)) {
                return new Verdict(row.errorClass(), row.nothingFound(), elsewhere(row, error), row.name());
            }
        }
        throw new IllegalStateException("rows: none matches (expected: the last one matches everything)");
    }

    private static Then elsewhere(ErrorRow row, NodeError error) {
        if (row.errorClass() == EXECUTION_VERDICT && error.method().equals(RESENT)) {
            return error.says(KNOWN_TRANSACTION) ? Then.FINAL : Then.ELSEWHERE_UNDONE;
        }
        return row.errorClass().then();
    }

    /**
     * The error as a client may see it: a revert in the form that all have, any other one cleaned and under its own code. Two
     * kinds get {@code -32000} instead, because clients would repeat a call that fails again: a lasting error under the code of
     * an internal one, and a call or result that is too large under any code that clients repeat. {@code -32000} also lets
     * graph-node try a smaller range.
     */
    public RpcError clean(RpcCall call, RpcError error, Verdict verdict) {
        return clean(NodeError.of(call, error, 200), error, verdict);
    }

    /**
     * Returns the error as a client may see it.
     *
     * @param looked the same error as the table looked at it
     */
    public RpcError clean(NodeError looked, RpcError error, Verdict verdict) {
        if (verdict.errorClass() == EXECUTION_VERDICT && RevertError.is(looked)) {
            return RevertError.of(looked, error.message());
        }
        RpcError clean = cleanError.of(error);
        return misleads(clean.code(), verdict.errorClass())
                ? new RpcError(INVALID_INPUT, clean.message(), clean.data())
                : clean;
    }

    /** Whether clients would repeat a call at this code although it will fail again. */
    private static boolean misleads(int code, ErrorClass errorClass) {
        return errorClass == TOO_LARGE
                ? REPEATED.contains(code)
                : code == INTERNAL && errorClass.view() == View.AS_IT_CAME;
    }

    /** The same for a call without parameters. */
    public RpcError clean(String method, RpcError error, Verdict verdict) {
        return clean(withoutParams(method), error, verdict);
    }

    static List<String> rowNames() {
        return ROWS.stream().map(ErrorRow::name).toList();
    }
}
