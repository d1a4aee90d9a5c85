package io.weir.pipeline.range;

import io.weir.jsonrpc.RpcReply;
import io.weir.pipeline.Route;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to get the logs of one range. Notes what nodes take and refuse. Of several refusals the one counts that leaves the longest
 * range. Confined to the call's event loop.
 */
final class PieceAttempts implements Route.Observer {

    private final RangeLimits limits;
    private final BlockRange range;
    private @Nullable RangeRefusal refusal;
    private boolean doubtful;

    PieceAttempts(RangeLimits limits, BlockRange range) {
        this.limits = limits;
        this.range = range;
    }

    @Override
    public void ended(String upstreamId, NodeOutcome outcome) {
        if (outcome instanceof Answered answered && !(answered.reply() instanceof RpcReply.Failure)) {
            limits.took(upstreamId, range.length());
            return;
        }
        RangeRefusal next = RangeRefusal.of(outcome, range);
        if (next == null) {
            doubtful |= RangeRefusal.mayBe(outcome);
            return;
        }
        if (next.reason() == RangeRefusal.Reason.BLOCKS) {
            limits.refused(upstreamId, next);
        }
        if (refusal == null || refusal.length() < next.length()) {
            refusal = next;
        }
    }

    /** Returns the refusal that counts; null if no node refused the range. */
    @Nullable
    RangeRefusal refusal() {
        return refusal;
    }

    /** Returns the refusal that a node's other words may be; null if there are none. */
    @Nullable
    RangeRefusal doubtfulRefusal() {
        return doubtful ? RangeRefusal.halving(range) : null;
    }
}
