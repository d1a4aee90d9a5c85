package io.weir.upstream.batch;

import io.netty.util.concurrent.ScheduledFuture;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.wire.Attempt;
import org.jspecify.annotations.Nullable;

/** A call that left, or is to leave, together with others. Ends once. Confined to its event loop. */
final class BatchedCall {

    /** What stands around the method and the parameters. */
    private static final int ENVELOPE_BYTES = 64;

    private final Attempt<RpcCall, BatchMessage> attempt;
    private final long deadlineNanos;
    private @Nullable ScheduledFuture<?> timer;
    private boolean askedAlone;

    BatchedCall(RpcCall call, long deadlineNanos, OutcomeSink sink) {
        this.attempt = new Attempt<>(call, sink);
        this.deadlineNanos = deadlineNanos;
    }

    /** About how many bytes a call adds to a batch. */
    static int bytes(RpcCall call) {
        RawJson params = call.params();
        return ENVELOPE_BYTES + call.method().length() + (params == null ? 0 : params.length());
    }

    RpcCall call() {
        return attempt.asked();
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    /** Has it end at its deadline by this timer. */
    void endsWith(ScheduledFuture<?> deadline) {
        timer = deadline;
        attempt.endsWith(deadline);
    }

    /** Whether it is, or was, asked by itself: then nothing is to be done where its batch fails. */
    boolean isAskedAlone() {
        return askedAlone;
    }

    /** Leaves its deadline to whoever asks for it alone from now on. */
    void leaveAlone() {
        askedAlone = true;
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /** The batch that it left in last, or null. */
    @Nullable
    BatchMessage batch() {
        return attempt.connection();
    }

    void leftIn(BatchMessage batch) {
        attempt.sentOver(batch);
    }

    boolean ended() {
        return attempt.ended();
    }

    /** Ends it; a second outcome goes nowhere. */
    void end(NodeOutcome outcome) {
        attempt.end(outcome);
    }

    /** Ends it with its part of the answer to a batch, cut out of the whole so that this can be freed. */
    void endWithPart(NodeOutcome outcome) {
        if (!attempt.ended()) {
            attempt.end(
                    outcome instanceof Answered answered
                            ? new Answered(cutOut(answered.reply()), answered.status(), answered.verdict())
                            : outcome);
        }
    }

    private static RpcReply cutOut(RpcReply reply) {
        if (reply instanceof RpcReply.Result result) {
            return new RpcReply.Result(result.value().compact());
        }
        RpcReply.Failure failure = (RpcReply.Failure) reply;
        RawJson data = failure.error().data();
        return data == null
                ? failure
                : new RpcReply.Failure(
                        failure.error().withData(data.compact()), failure.kind(), failure.retryAfterSeconds());
    }
}
