package io.weir.pipeline.proof;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallTrace;
import org.jspecify.annotations.Nullable;

/**
 * What came of asking for something that can be proven. Immutable.
 *
 * @param value what was proven; null where nothing was
 * @param reply what the nodes answered: what a client is told where nothing was proven
 * @param last what was said of the answer that came last; null where none came that could be looked at
 * @param trace of the asking
 */
record Got<T>(@Nullable T value, RpcReply reply, Ruling.@Nullable Kind last, CallTrace trace) {

    /** What it means for an answer that this was to prove. */
    Ruling ruling(String what) {
        if (value != null) {
            return Ruling.PROVEN;
        }
        String detail = "without " + what;
        if (last == Ruling.Kind.SHED) {
            return new Ruling(Ruling.Kind.SHED, detail);
        }
        return new Ruling(
                isUnserved() || last == Ruling.Kind.UNVERIFIABLE ? Ruling.Kind.UNVERIFIABLE : Ruling.Kind.LACKING,
                detail);
    }

    /** Whether the nodes have nothing there. */
    boolean isNothing() {
        return reply instanceof RpcReply.Result result && result.value().equals(RawJson.NULL);
    }

    /**
     * What an answer comes to that this was to prove, and does not; not where there is nothing.
     *
     * @param passing whether what cannot be verified is passed on
     */
    Found failed(boolean passing) {
        if (isUnserved()) {
            return passing
                    ? Found.none(trace)
                    : Found.unproven(
                            RpcReply.failure(ErrorCode.INVALID_INPUT.error("no upstream's answer can be verified")),
                            trace);
        }
        // A result that is there and not proven was passed on, and what it was to prove may be too.
        return reply instanceof RpcReply.Result ? Found.none(trace) : Found.unproven(reply, trace, last);
    }

    /** Whether the nodes do not have the method. */
    boolean isUnserved() {
        return reply instanceof RpcReply.Failure failure && failure.error().code() == ErrorCode.METHOD_NOT_FOUND.code();
    }
}
