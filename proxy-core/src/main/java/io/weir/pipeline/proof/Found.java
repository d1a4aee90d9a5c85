package io.weir.pipeline.proof;

import io.weir.jsonrpc.RpcReply;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.CallTrace;
import io.weir.pipeline.Stage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a call, and what was proven of it. Immutable.
 *
 * @param reply null where nothing can be proven, and that is allowed: the call is to be sent as it is
 * @param place the block that it depends on; null where that was asked for by its hash, or nothing was proven
 * @param parts what is proven, as clients are told, once the place is certain
 * @param proven whether all of it is
 * @param whole the block that proves it, where one was asked for
 * @param trace of the asking
 * @param lacking whether what would prove it did not come: the block may have been dropped meanwhile
 */
record Found(
        @Nullable RpcReply reply,
        @Nullable Place place,
        String parts,
        boolean proven,
        @Nullable Whole whole,
        CallTrace trace,
        boolean lacking) {

    /** An answer that came with what proves it, or whose proof failed. */
    Found(
            @Nullable RpcReply reply,
            @Nullable Place place,
            String parts,
            boolean proven,
            @Nullable Whole whole,
            CallTrace trace) {
        this(reply, place, parts, proven, whole, trace, false);
    }

    /**
     * A block that an answer depends on.
     *
     * @param hash in lower case
     * @param upstreamId whose answer says so
     */
    record Place(long number, String hash, String upstreamId) {}

    /**
     * An answer that is right.
     *
     * @param listed whether it holds only members that are listed for the chain; else it is not called verified, and not kept
     */
    static Found proven(
            RpcReply reply,
            @Nullable Place place,
            String parts,
            boolean listed,
            @Nullable Whole whole,
            CallTrace trace) {
        return new Found(reply, place, listed ? parts : "", listed, whole, trace);
    }

    /** Nothing can be proven, and the call may be sent as it is. */
    static Found none(CallTrace trace) {
        return new Found(null, null, "", false, null, trace);
    }

    /** An answer of which nothing is proven. */
    static Found unproven(RpcReply reply, CallTrace trace) {
        return new Found(reply, null, "", false, null, trace);
    }

    /**
     * As {@link #unproven}.
     *
     * @param last what was said of the answer that came last
     */
    static Found unproven(RpcReply reply, CallTrace trace, Ruling.@Nullable Kind last) {
        return new Found(reply, null, "", false, null, trace, last == Ruling.Kind.LACKING);
    }

    /** How answers of one kind are had together with their proof. Thread-safe. */
    @FunctionalInterface
    interface Way {

        /**
         * Asks for an answer.
         *
         * @param stage sends calls to the nodes that may be asked
         * @param sink gets it once, on the call's event loop
         */
        void find(CallContext context, CheckedParams params, Stage stage, Consumer<Found> sink);
    }
}
