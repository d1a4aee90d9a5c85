package io.weir.pipeline.evidence;

import io.weir.jsonrpc.ErrorCode;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.CallTrace;
import io.weir.verify.Verification;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reply of the nodes to one call, together with its verification. Immutable.
 *
 * @param value the proven value; null if nothing was proven
 * @param reply the reply, which a client receives if nothing was proven
 * @param verification of the last answer; null if no answer could be verified
 * @param trace of the call
 * @param <T> type of the value
 */
public record VerifiedReply<T>(
        @Nullable T value, RpcReply reply, @Nullable Verification<?> verification, CallTrace trace) {

    /** Returns this reply with another value in place of its own; without one, the same. */
    <U> VerifiedReply<U> map(Function<T, U> mapping) {
        return new VerifiedReply<>(value == null ? null : mapping.apply(value), reply, verification, trace);
    }

    /** Returns the result in JSON; only of a reply that has a value. */
    public RawJson json() {
        return ((RpcReply.Result) reply).value();
    }

    /** Returns the upstream that answered; only of a reply that has a value. */
    public String upstreamId() {
        return Objects.requireNonNull(trace.upstreamId());
    }

    /** Returns whether the value has only members that are listed for the chain. */
    public boolean isListed() {
        return verification instanceof Verification.Proven;
    }

    /** Returns whether the nodes have no such object. */
    public boolean isNothing() {
        return reply instanceof RpcReply.Result result && result.value().equals(RawJson.NULL);
    }

    /** Returns whether the nodes do not have the method. */
    public boolean isUnserved() {
        return reply instanceof RpcReply.Failure failure && failure.error().code() == ErrorCode.METHOD_NOT_FOUND.code();
    }

    /**
     * Returns the verification of an answer that this reply, which has no value, was to prove.
     *
     * @param evidence names what this reply was to give
     */
    public <U> Verification<U> withoutEvidence(String evidence) {
        if (verification instanceof Verification.Shed) {
            return new Verification.Shed<>();
        }
        String detail = "without " + evidence;
        if (verification instanceof Verification.Unprovable) {
            return new Verification.Unprovable<>(detail);
        }
        return isUnserved() || verification instanceof Verification.Unverifiable
                ? new Verification.Unverifiable<>(detail)
                : new Verification.Missing<>(detail);
    }
}
