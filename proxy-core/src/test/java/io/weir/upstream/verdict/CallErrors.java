package io.weir.upstream.verdict;

import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcError;
import io.weir.jsonrpc.RpcReply;
import io.weir.method.catalogue.MethodCatalogue;
import io.weir.upstream.NodeOutcome;

/** The table's view of errors as answers to calls of which only the method matters. */
public final class CallErrors {

    private static final ErrorTable TABLE = new ErrorTable();

    private CallErrors() {}

    public static Verdict verdict(String method, RpcError error, int status) {
        return TABLE.verdict(call(method), error, status);
    }

    public static RpcError clean(String method, RpcError error, Verdict verdict) {
        return clean(call(method), error, verdict);
    }

    public static RpcError clean(RpcCall call, RpcError error, Verdict verdict) {
        return TABLE.clean(NodeError.of(MethodCatalogue.ofName(call.method()), call, error, 200), error, verdict);
    }

    /** Returns an error as the answer of a node, judged and cleaned as a pool does it. */
    public static NodeOutcome judged(String method, int code, String message, String data) {
        RpcError error = new RpcError(code, message, data == null ? null : RawJson.of(data));
        Verdict verdict = verdict(method, error, 200);
        return new NodeOutcome.Answered(RpcReply.failure(clean(method, error, verdict)), 200, verdict);
    }

    private static RpcCall call(String method) {
        return new RpcCall(RawJson.NULL, method, null);
    }
}
