package io.weir.pipeline;

import io.weir.jsonrpc.RawJson;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.ResultStream;
import io.weir.verify.Verification;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Check of a node's result before it counts. A result that does not pass is a failed attempt. A result in doubt
 * ({@link io.weir.upstream.verdict.Verdict#isDoubt}) is served only if no other node gives one. Thread-safe.
 */
@FunctionalInterface
public interface ReplyCheck {

    /**
     * A result that was checked. Immutable.
     *
     * @param outcome the result for the client, or a failed attempt
     * @param proof what was proven of the result, its block's place included if the call waits for that; null if nothing was
     */
    record Checked(NodeOutcome outcome, @Nullable Verification<?> proof) {}

    /** Returns whether a large result must be collected whole before the client gets any of it. Called on the call's event loop. */
    default boolean needsWhole(CallContext context) {
        return true;
    }

    /** Takes one of the calls that may be sent to one more node because of a result in doubt. Returns false if none is left. */
    default boolean takeDoubt() {
        return false;
    }

    /** Returns whether a result in doubt may still be right. */
    default boolean mayServeDoubtful() {
        return false;
    }

    /** Returns whether a result passes for certain. Otherwise {@link #check} decides. Called on the call's event loop. */
    default boolean passesAtOnce(CallContext context, RawJson result) {
        return false;
    }

    /**
     * Returns the same result with an end that follows only if the result passes.
     *
     * @param context of the call; called on its event loop
     * @param upstreamId the node's that answers
     */
    default ResultStream checked(CallContext context, String upstreamId, ResultStream result) {
        return result;
    }

    /**
     * Checks a result.
     *
     * @param context of the call; called on its event loop
     * @param upstreamId the node's that answered
     * @param sink gets the outcome once, on that loop; an outcome after the call's deadline is dropped
     */
    void check(CallContext context, String upstreamId, RawJson result, Consumer<Checked> sink);
}
