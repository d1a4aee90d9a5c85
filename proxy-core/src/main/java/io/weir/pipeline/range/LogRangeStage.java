package io.weir.pipeline.range;

import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.RpcReply.FailureKind;
import io.weir.pipeline.CallContext;
import io.weir.pipeline.ReplySink;
import io.weir.pipeline.Stage;
import io.weir.pipeline.range.LogRanges.End;
import io.weir.pipeline.range.RangeRefusal.Reason;
import java.util.Set;

/**
 * Stage that cuts a range of logs that nodes refuse as too large, and joins the logs of its pieces. A range goes to nodes as it came
 * until one refuses it. Then {@link RangeLimits} remembers what the node takes, and the next range beyond that is cut at once. A range
 * that would need too many pieces is not cut. An error in words that may be a refusal is believed once half of the range gets it too. Only ranges whose ends have numbers are cut; {@code latest} has the number of the head
 * to which the call was held. Thread-safe.
 */
final class LogRangeStage implements Stage {

    private final LogRanges ranges;
    private final int cost;
    private final Stage next;

    /** @param cost of a piece in units */
    LogRangeStage(LogRanges ranges, int cost, Stage next) {
        this.ranges = ranges;
        this.cost = cost;
        this.next = next;
    }

    @Override
    public void handle(CallContext context, ReplySink sink) {
        LogFilterRange filter = LogFilterRange.of(context);
        if (filter == null) {
            next.handle(context, sink);
            return;
        }
        long longest = ranges.limits().longest();
        if (longest < filter.blocks().length() && isPossible(filter, longest)) {
            new RangeCollection(ranges, cost, next, context, filter, new PieceLength(longest, true), null, sink)
                    .begin(() -> askWhole(context, filter, sink));
        } else {
            askWhole(context, filter, sink);
        }
    }

    private boolean isPossible(LogFilterRange filter, long length) {
        return filter.blocks().pieces(length) <= LogRanges.MAX_PIECES;
    }

    /** Sends the whole range to nodes that are not known to refuse it. */
    private void askWhole(CallContext context, LogFilterRange filter, ReplySink sink) {
        PieceAttempts attempts = new PieceAttempts(ranges.limits(), filter.blocks());
        context.observedBy(attempts);
        Set<String> refusing = ranges.limits().refusing(filter.blocks().length());
        Stage stage = refusing.isEmpty() ? next : ranges.without(refusing);
        stage.handle(context, reply -> {
            RangeRefusal refusal = attempts.refusal();
            RangeRefusal doubtful = attempts.doubtfulRefusal();
            if (!(reply instanceof RpcReply.Failure failure)) {
                sink.accept(reply);
            } else if (refusal != null) {
                cut(context, filter, refusal, reply, sink);
            } else if (!refusing.isEmpty() && (failure.kind() != FailureKind.ANSWER || doubtful != null)) {
                cutForOthers(context, filter, refusing, reply, sink);
            } else if (doubtful != null && failure.kind() == FailureKind.ANSWER) {
                cut(context, filter, doubtful, reply, sink);
            } else {
                sink.accept(reply);
            }
        });
    }

    private void cut(CallContext context, LogFilterRange filter, RangeRefusal refusal, RpcReply reply, ReplySink sink) {
        if (refusal.reason() == Reason.BLOCKS && !isPossible(filter, refusal.length())) {
            ranges.ends().count(End.REFUSED);
            sink.accept(reply);
            return;
        }
        PieceLength length = new PieceLength(filter.blocks().length(), false);
        length.refused(refusal);
        new RangeCollection(ranges, cost, next, context, filter, length, reply, sink).begin(() -> sink.accept(reply));
    }

    /** Cuts the range for the nodes that would refuse the whole, because the others failed. */
    private void cutForOthers(
            CallContext context, LogFilterRange filter, Set<String> refusing, RpcReply reply, ReplySink sink) {
        long longest = ranges.limits().longestOf(refusing);
        if (longest < filter.blocks().length() && isPossible(filter, longest)) {
            new RangeCollection(ranges, cost, next, context, filter, new PieceLength(longest, true), reply, sink)
                    .begin(() -> sink.accept(reply));
        } else {
            sink.accept(reply);
        }
    }
}
