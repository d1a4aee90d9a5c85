package io.weir.upstream.batch;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.config.BatchConfig;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient.OutcomeSink;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import io.weir.upstream.wire.ReplyVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The lookups of one event loop for one node. Confined to that loop.
 *
 * <ul>
 *   <li>While fewer requests than {@code batch.in-flight} are out, a call leaves at once and alone; it is a request that is out
 *       then. Else calls gather, and leave together when a request comes back, or when they are as many, or as large, as a batch
 *       may be, or when the first of them has waited for {@code batch.wait}.
 *   <li>Each call has its own deadline, gathered or sent; an answer that comes later goes nowhere.
 *   <li>Where a batch has no answer within {@code batch.timeout}, each of its calls is asked by itself too, and takes what comes
 *       first: one slow call among them keeps the others waiting no longer. Until one of these is answered no further batch of the
 *       node is treated so, because the node itself may be slow.
 *   <li>The node's health learns once, and not for each call, that a batch failed.
 *   <li>A batch that fails in a way that may be its own, or is refused, is taken apart: its calls are asked singly, as if there
 *       were no batches. Where that goes well, {@link BatchMemory} learns from it. Other failures, such as of a connection that
 *       cannot be made, or a rate limit, are those of each call.
 *   <li>Where a kept connection breaks before an answer begins, the batch goes out once more, over a fresh one.
 * </ul>
 */
final class BatchWindow {

    private final EventLoop loop;
    private final BatchCarrier carrier;
    private final BatchConfig config;
    private final BatchMemory memory;
    private final BatchMeters meters;
    private List<BatchedCall> gathered = new ArrayList<>();
    private int gatheredBytes;
    private int out;
    private @Nullable ScheduledFuture<?> wait;
    /** Batches that are late, and wait until calls of another late one are answered. */
    private final List<BatchMessage> late = new ArrayList<>();
    /** Whether calls of a late batch are asked by themselves, and none of them is answered yet. */
    private boolean doubtful;

    BatchWindow(EventLoop loop, BatchCarrier carrier, BatchConfig config, BatchMemory memory, BatchMeters meters) {
        this.loop = loop;
        this.carrier = carrier;
        this.config = config;
        this.memory = memory;
        this.meters = meters;
    }

    /** Asks the node; the outcome may come before this returns. */
    void ask(RpcCall call, long deadlineNanos, OutcomeSink sink) {
        int bytes = BatchedCall.bytes(call);
        int most = memory.most();
        if (out < config.inFlight() || most < 2 || bytes >= config.bytes()) {
            askAlone(call, deadlineNanos, sink);
            return;
        }
        if (gatheredBytes + bytes > config.bytes()) {
            leave();
        }
        gather(new BatchedCall(call, deadlineNanos, sink), bytes);
        if (gathered.size() >= most) {
            leave();
        }
    }

    private void askAlone(RpcCall call, long deadlineNanos, OutcomeSink sink) {
        out++;
        carrier.ask(loop, call, deadlineNanos, outcome -> {
            cameBack();
            sink.accept(outcome);
        });
    }

    private void gather(BatchedCall call, int bytes) {
        long left = call.deadlineNanos() - System.nanoTime();
        call.endsWith(loop.schedule(() -> giveUp(call), left, TimeUnit.NANOSECONDS));
        if (gathered.isEmpty()) {
            wait = loop.schedule(this::leave, config.waitMillis(), TimeUnit.MILLISECONDS);
        }
        gathered.add(call);
        gatheredBytes += bytes;
    }

    private void giveUp(BatchedCall call) {
        BatchMessage batch = call.batch();
        if (batch == null) {
            gathered.remove(call);
            gatheredBytes -= BatchedCall.bytes(call.call());
            if (gathered.isEmpty()) {
                takeGathered();
            }
            call.end(ReplyVerdict.failed(Fault.TIMEOUT, Executed.NO, "the node was busy with other calls"));
        } else {
            Executed executed = batch.written() ? Executed.MAYBE : Executed.NO;
            batch.fail(call, ReplyVerdict.failed(Fault.TIMEOUT, executed, "no answer to a batch in time"));
        }
    }

    /** Takes note that a request came back: now others may go out. */
    private void cameBack() {
        out--;
        if (out < config.inFlight()) {
            leave();
        }
    }

    private void leave() {
        List<BatchedCall> leaving = takeGathered();
        int most = memory.most();
        for (int i = 0; i < leaving.size(); i += most) {
            List<BatchedCall> together = leaving.subList(i, Math.min(leaving.size(), i + most));
            if (together.size() == 1) {
                askSingly(together.get(0), outcome -> {});
            } else {
                send(new BatchMessage(together));
            }
        }
    }

    private List<BatchedCall> takeGathered() {
        if (wait != null) {
            wait.cancel(false);
            wait = null;
        }
        List<BatchedCall> taken = gathered;
        gathered = new ArrayList<>();
        gatheredBytes = 0;
        return taken;
    }

    private void askSingly(BatchedCall call, OutcomeSink first) {
        call.leaveAlone();
        askAlone(call.call(), call.deadlineNanos(), outcome -> {
            first.accept(outcome);
            call.end(outcome);
        });
    }

    private void send(BatchMessage batch) {
        out++;
        meters.sent(batch.calls().size());
        // The time begins when the batch is written: before that it waits for a connection, and the node does not have
        // it.
        batch.onWritten(() -> loop.schedule(() -> takeLate(batch), config.timeoutMillis(), TimeUnit.MILLISECONDS));
        post(batch, false);
    }

    /** Asks a late batch's calls by themselves, unless it is to be seen first whether the node answers anything. */
    private void takeLate(BatchMessage batch) {
        List<BatchedCall> waiting = batch.waiting();
        if (waiting.isEmpty()) {
            return;
        }
        if (doubtful) {
            late.add(batch);
            return;
        }
        doubtful = true;
        meters.takenApart();
        LateCalls calls = new LateCalls(waiting.size());
        waiting.forEach(call -> askSingly(call, calls::ended));
    }

    private void takeNextLate() {
        doubtful = false;
        List<BatchMessage> next = List.copyOf(late);
        late.clear();
        next.forEach(this::takeLate);
    }

    /** The calls of one late batch that are asked by themselves. */
    private final class LateCalls {

        private int open;
        private boolean settled;

        LateCalls(int open) {
            this.open = open;
        }

        void ended(NodeOutcome outcome) {
            open--;
            if (!settled && (outcome instanceof Answered || open == 0)) {
                settled = true;
                takeNextLate();
            }
        }
    }

    private void post(BatchMessage batch, boolean anew) {
        carrier.post(loop, batch, anew, batch.deadlineNanos(), outcome -> {
            if (!anew && outcome instanceof Failed failed && failed.fault() == Fault.STALE_CONNECTION) {
                post(batch, true);
            } else {
                batch.cameBack();
                late.remove(batch);
                cameBack();
                end(batch, outcome);
            }
        });
    }

    private void end(BatchMessage batch, NodeOutcome outcome) {
        if (outcome instanceof Failed failed) {
            int most = mostAfter(failed, batch.calls().size());
            if (most > 0) {
                takeApart(batch.waiting(), most);
            } else {
                batch.waiting().forEach(call -> batch.fail(call, failed));
            }
        } else if (batch.answer() instanceof BatchAnswer.Refused refused) {
            takeApart(batch.waiting(), refused.most());
        } else if (batch.answer() instanceof BatchAnswer.Same same) {
            batch.calls().forEach(call -> call.endWithPart(same.outcome()));
        } else if (batch.answer() instanceof BatchAnswer.Each each) {
            endEach(batch, each.outcomes());
        }
    }

    /** How many calls to try together after a batch failed so; 0 where that says nothing of batches. */
    private static int mostAfter(Failed failed, int calls) {
        return switch (failed.fault()) {
            case TOO_LARGE, CALL_TOO_LARGE -> Math.max(1, calls / 2);
            case SERVER_ERROR, BAD_ANSWER, DISCONNECTED -> 1;
            default -> 0;
        };
    }

    private void endEach(BatchMessage batch, List<Optional<NodeOutcome>> outcomes) {
        List<BatchedCall> calls = batch.calls();
        List<BatchedCall> again = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            BatchedCall call = calls.get(i);
            NodeOutcome outcome = outcomes.get(i).orElse(null);
            if (outcome instanceof Answered) {
                call.endWithPart(outcome);
            } else if (!call.ended() && !call.isAskedAlone()) {
                if (outcome instanceof Failed failed) {
                    batch.fail(call, failed);
                } else {
                    again.add(call);
                }
            }
        }
        if (again.isEmpty()) {
            memory.took(calls.size());
        } else {
            takeApart(again, Math.max(1, calls.size() / 2));
        }
    }

    /**
     * Asks singly.
     *
     * @param most calls to try together from now on, where the node answers these
     */
    private void takeApart(List<BatchedCall> calls, int most) {
        meters.takenApart();
        for (BatchedCall call : calls) {
            if (!call.ended()) {
                askSingly(call, outcome -> {
                    if (outcome instanceof Answered) {
                        memory.shrink(most);
                    }
                });
            }
        }
    }

    /** Fails what was not sent yet, so that it can move. */
    void failGathered() {
        Failed failed = ReplyVerdict.failed(Fault.CONNECT, Executed.NO, "another connection broke");
        takeGathered().forEach(call -> call.end(failed));
    }

    /** Fails what was not sent yet, for good; what is asked from now on the carrier refuses. */
    void close() {
        Failed failed = ReplyVerdict.failed(Fault.CLOSED, Executed.NO, "closed");
        takeGathered().forEach(call -> call.end(failed));
    }
}
