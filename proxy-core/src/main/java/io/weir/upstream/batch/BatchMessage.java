package io.weir.upstream.batch;

import io.netty.util.concurrent.ScheduledFuture;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RequestWriter;
import io.weir.jsonrpc.RpcCall;
import io.weir.jsonrpc.RpcReply;
import io.weir.jsonrpc.reply.MalformedReplyException;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.wire.Message;
import io.weir.upstream.wire.ReplyVerdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Batch of calls in one request, with the meaning of the node's answer. Confined to its event loop. */
final class BatchMessage implements Message {

    private static final RequestWriter WRITER = new RequestWriter();
    private static final BatchVerdict VERDICTS = new BatchVerdict();

    private List<BatchedCall> calls;
    private List<RpcCall> asked;
    private boolean written;
    private boolean blamed;
    private boolean over;
    private @Nullable Supplier<ScheduledFuture<?>> timers;
    private @Nullable ScheduledFuture<?> patience;
    private long firstId;
    private @Nullable BatchAnswer answer;

    private BatchMessage(List<BatchedCall> calls) {
        this.calls = List.copyOf(calls);
        this.asked = this.calls.stream().map(BatchedCall::call).toList();
    }

    /** Returns the message in which calls are sent. */
    static BatchMessage of(List<BatchedCall> calls) {
        BatchMessage message = new BatchMessage(calls);
        calls.forEach(call -> call.sentIn(message));
        return message;
    }

    List<BatchedCall> calls() {
        return calls;
    }

    /**
     * Returns for whom it is sent: of those for whom its calls are made the one with the fewest. Else their calls would wait for the turns
     * of one with many.
     */
    Object holder() {
        Map<Object, Integer> counts = new LinkedHashMap<>();
        calls.forEach(call -> counts.merge(call.holder(), 1, Integer::sum));
        return Collections.min(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
    }

    /** Returns when the last of its calls ends. */
    long deadlineNanos() {
        long latest = calls.get(0).deadlineNanos();
        for (BatchedCall call : calls) {
            latest = call.deadlineNanos() - latest > 0 ? call.deadlineNanos() : latest;
        }
        return latest;
    }

    /** Returns the calls that still wait for its answer: they have not ended, and were not sent singly in the meantime. */
    List<BatchedCall> waiting() {
        return calls.stream()
                .filter(call -> !call.ended() && !call.isSentSingly())
                .toList();
    }

    /** Ends a call with a failure of the whole batch. The node's health learns from it once per batch and not per call. */
    void fail(BatchedCall call, Failed failed) {
        if (!call.ended()) {
            boolean again = blamed;
            blamed = true;
            call.end(again ? failed.uncounted() : failed);
        }
    }

    /** Registers a source of timers. Each time the batch is written a new timer starts; it ends with the answer. */
    void onWritten(Supplier<ScheduledFuture<?>> timer) {
        timers = timer;
    }

    private void startTimer() {
        if (patience != null) {
            patience.cancel(false);
        }
        patience = over || timers == null ? null : timers.get();
    }

    /** Notes that the answer came, or that none will. */
    void returned() {
        over = true;
        if (patience != null) {
            patience.cancel(false);
        }
    }

    /** Returns whether the node may have the batch, because it no longer waits for a connection. */
    boolean written() {
        return written;
    }

    /** Returns the node's answer; null before {@link #read}, and if that was a failure. */
    @Nullable
    BatchAnswer answer() {
        return answer;
    }

    @Override
    public byte[] write(LongSupplier ids) {
        written = true;
        dropEnded();
        startTimer();
        firstId = ids.getAsLong();
        long last = firstId;
        for (int i = 1; i < asked.size(); i++) {
            last = ids.getAsLong();
        }
        if (last - firstId != asked.size() - 1) {
            throw new IllegalStateException("ids: " + firstId + " to " + last + " (expected: one after the other)");
        }
        return WRITER.writeBatch(firstId, asked);
    }

    /** Leaves out the calls that ended while the batch waited for a connection. */
    private void dropEnded() {
        List<BatchedCall> left = calls.stream().filter(call -> !call.ended()).toList();
        if (!left.isEmpty() && left.size() < calls.size()) {
            calls = left;
            asked = left.stream().map(BatchedCall::call).toList();
        }
    }

    @Override
    public NodeOutcome read(int status, byte[] body, int length) {
        try {
            answer = VERDICTS.of(status, body, length, firstId, asked);
        } catch (MalformedReplyException e) {
            return status == ReplyVerdict.CONTENT_TOO_LARGE
                    ? ReplyVerdict.callTooLarge()
                    : ReplyVerdict.ofMalformed(e, "HTTP " + status + " and ");
        }
        return answer instanceof BatchAnswer.Same same && same.outcome() instanceof Failed failed
                ? failed
                : new Answered(new RpcReply.Result(RawJson.slice(body, 0, length)), status, null);
    }

    /** A node that failed with only some of the calls answers the others all the same. */
    @Override
    public NodeOutcome read(int status, byte[] body, int length, Failed verdict) {
        NodeOutcome said = read(status, body, length);
        if (answer instanceof BatchAnswer.Each each) {
            boolean failed = verdict.fault() == Fault.SERVER_ERROR && verdict.retryAfterSeconds() == 0;
            List<Optional<NodeOutcome>> outcomes = failed ? each.outcomes() : new ArrayList<>();
            for (int i = outcomes.size(); i < asked.size(); i++) {
                NodeOutcome own = each.outcomes().get(i).orElse(verdict);
                outcomes.add(Optional.of(ReplyVerdict.ofBoth(verdict, asked.get(i), own, body, length)));
            }
            answer = new BatchAnswer.Each(outcomes);
            if (outcomes.stream().anyMatch(one -> one.orElse(null) instanceof Answered)) {
                return said;
            }
        }
        answer = null;
        return Message.super.read(status, body, length, verdict);
    }
}
