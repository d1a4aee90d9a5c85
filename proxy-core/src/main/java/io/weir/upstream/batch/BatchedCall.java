package io.weir.upstream.batch;

import io.netty.util.concurrent.ScheduledFuture;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.wire.Attempt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Call that is or will be sent with others. Ends once. Confined to its event loop. */
final class BatchedCall {

    /** Bytes around the method and the parameters. */
    private static final int ENVELOPE_BYTES = 64;

    private final Attempt<RpcCall, BatchMessage> attempt;
    private final long deadlineNanos;
    private @Nullable ScheduledFuture<?> timer;
    private boolean sentSingly;

    BatchedCall(RpcCall call, long deadlineNanos, OutcomeSink sink) {
        this.attempt = new Attempt<>(call, sink);
        this.deadlineNanos = deadlineNanos;
    }

    /** Returns about how many bytes a call adds to a batch. */
    static int bytes(RpcCall call) {
        RawJson params = call.params();
        return ENVELOPE_BYTES + call.method().length() + (params == null ? 0 : params.length());
    }

    RpcCall call() {
        return attempt.request();
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    /** Sets the timer of its deadline. */
    void endsWith(ScheduledFuture<?> deadline) {
        timer = deadline;
        attempt.endsWith(deadline);
    }

    /** Lets the caller give it up; see {@link Attempt#cancelledBy}. */
    void cancelledBy(Consumer<Attempt<RpcCall, BatchMessage>> by) {
        attempt.cancelledBy(by);
    }

    /** Returns for whom it is made. */
    Object holder() {
        return attempt.holder();
    }

    /** Returns whether it was sent singly. If so, the failure of its batch has no effect on it. */
    boolean isSentSingly() {
        return sentSingly;
    }

    /** Cancels its timer, because the single request has the deadline from now on. */
    void markSentSingly() {
        sentSingly = true;
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /** Returns the batch in which it was sent last, or null. */
    @Nullable
    BatchMessage batch() {
        return attempt.connection();
    }

    void sentIn(BatchMessage batch) {
        attempt.sentOver(batch);
    }

    boolean ended() {
        return attempt.ended();
    }

    /** Ends the call. A second outcome is ignored. */
    void end(NodeOutcome outcome) {
        attempt.end(outcome);
    }

    /** Ends the call with its part of the answer to a batch, copied so that the whole answer can be freed. */
    void endWithPart(NodeOutcome outcome) {
        if (!attempt.ended()) {
            attempt.end(
                    outcome instanceof Answered answered
                            ? new Answered(
                                    copied(answered.reply()),
                                    answered.status(),
                                    answered.verdict(),
                                    answered.retryAfterSeconds())
                            : outcome);
        }
    }

    private static RpcReply copied(RpcReply reply) {
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
