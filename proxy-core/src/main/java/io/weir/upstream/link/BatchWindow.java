package io.weir.upstream.link;

import com.codahale.metrics.Counter;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.weir.jsonrpc.RawJson;
import io.weir.jsonrpc.RpcCall;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import io.weir.upstream.Attempt;
import io.weir.upstream.CallCause;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Answered;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Batch window of one event loop for one node. Confined to that loop.
 *
 * <ul>
 *   <li>While no request is in flight, a call is sent at once as a request of its own.
 *       Otherwise calls collect in the window. They are sent together when a request returns, or when the window has the
 *       maximum number or size of a batch. At the latest they are sent when the first call has waited for {@link
 *       #WAIT_MILLIS}.
 *   <li>Each call has its own deadline, before and after it is sent. A later answer is ignored. A call that is given up leaves the
 *       window, or its part of the batch's answer is ignored.
 *   <li>If a batch has no answer within {@link #LATE_MILLIS}, each of its calls is also sent singly, and the first outcome
 *       counts. So a slow call no longer delays the others. Until one of these calls is answered, no other batch is treated
 *       so, because the node itself may be slow.
 *   <li>The node's health learns of a failed batch once, and not for each call.
 *   <li>If a batch is refused, or fails in a way that it may have caused, its calls are sent singly, as without batches. If
 *       that works, {@link BatchMemory} learns from it. Other failures, such as a connection that cannot be made or a rate
 *       limit, apply to each call.
 *   <li>If a reused connection breaks before an answer begins, the batch is sent once more over a fresh one.
 * </ul>
 */
public final class BatchWindow {

    /** The size of a batch: hundreds of lookups, and far below what nodes take. */
    private static final int MAX_BYTES = 256 << 10;

    /** Bytes around the method and the parameters. */
    private static final int ENVELOPE_BYTES = 64;

    /** Stands for the batch of calls that left theirs, each as a request of its own. */
    private static final Object SINGLY = new Object();

    /** Longest wait of a call for others: little beside the time of a call to a node that is busy. */
    static final long WAIT_MILLIS = 25;

    /** Time after which a batch counts as late: few lookups take a tenth of it. */
    private static final long LATE_MILLIS = 2_000;

    private final EventLoop loop;
    private final Carrier carrier;
    private final Set<String> methods;
    private final BatchMemory memory;
    private final long waitMillis;
    private final Counters meters;
    private List<Attempt> window = new ArrayList<>();
    private int windowBytes;
    private int out;
    private final Consumer<Attempt> cancelled = this::cancelled;
    private final Runnable returned = this::returned;
    private @Nullable ScheduledFuture<?> wait;
    /** Late batches that wait until calls of an earlier late batch are answered. */
    private final List<BatchMessage> late = new ArrayList<>();
    /** Whether calls of a late batch were sent singly and none of them is answered yet. */
    private boolean doubtful;

    /**
     * The parts that the windows of one node share. Thread-safe.
     *
     * @param methods whose calls may be in a batch: they must be safe to repeat, and quick, because the answers to a batch come together
     * @param waitMillis longest wait of a call for others
     */
    public record Batching(Set<String> methods, BatchMemory memory, long waitMillis, Counters meters) {
        public Batching {
            methods = Set.copyOf(methods);
        }

        /** Batches of up to this number of calls. */
        public static Batching of(int size, Set<String> methods, Counters meters) {
            return new Batching(methods, new BatchMemory(size, System::nanoTime), WAIT_MILLIS, meters);
        }
    }

    /** Counters of the batches to one node. Thread-safe. */
    public static final class Counters {

        private final Counter batches;
        private final Counter calls;
        private final Counter splits;

        public Counters(Meters meters, String network, String upstream) {
            batches = meters.counter(Meter.UPSTREAM_BATCHES, network, upstream);
            calls = meters.counter(Meter.UPSTREAM_BATCHED_CALLS, network, upstream);
            splits = meters.counter(Meter.UPSTREAM_BATCHES_SPLIT, network, upstream);
        }

        void sent(int size) {
            batches.inc();
            calls.inc(size);
        }

        void split() {
            splits.inc();
        }
    }

    /** The connections over which requests leave. Confined to the window's loop. */
    public interface Carrier {

        /**
         * Sends the call or the batch of an attempt, as {@link NodeClient#ask}.
         *
         * @param anew whether over a connection that has carried nothing before, as in {@link NodeClient#askAnew}
         */
        void send(Attempt attempt, boolean anew, long deadlineNanos);
    }

    /** @param carrier of the same loop */
    public BatchWindow(EventLoop loop, Carrier carrier, Batching batching) {
        this.loop = loop;
        this.carrier = carrier;
        this.methods = batching.methods();
        this.memory = batching.memory();
        this.waitMillis = batching.waitMillis();
        this.meters = batching.meters();
    }

    /** Sends the call of an attempt. The outcome may be delivered before this method returns. */
    public void send(Attempt attempt, long deadlineNanos) {
        RpcCall call = attempt.call();
        if (!methods.contains(call.method())) {
            carrier.send(attempt, false, deadlineNanos);
            return;
        }
        int maxCalls = out == 0 ? 1 : memory.maxCalls();
        if (maxCalls < 2 || bytes(call) >= MAX_BYTES) {
            sendAlone(attempt, deadlineNanos);
            return;
        }
        int bytes = bytes(call);
        if (windowBytes + bytes > MAX_BYTES) {
            flush();
        }
        add(attempt, deadlineNanos, bytes);
        if (window.size() >= maxCalls) {
            flush();
        }
    }

    private void sendAlone(Attempt attempt, long deadlineNanos) {
        out++;
        attempt.onReturn(returned);
        carrier.send(attempt, false, deadlineNanos);
    }

    /** Returns about how many bytes a call adds to a batch. */
    private static int bytes(RpcCall call) {
        RawJson params = call.params();
        return ENVELOPE_BYTES + call.method().length() + (params == null ? 0 : params.length());
    }

    private void add(Attempt attempt, long deadlineNanos, int bytes) {
        attempt.endsBy(deadlineNanos);
        long left = deadlineNanos - System.nanoTime();
        attempt.endsWith(loop.schedule(() -> giveUp(attempt), left, TimeUnit.NANOSECONDS));
        if (window.isEmpty()) {
            wait = loop.schedule(this::flush, waitMillis, TimeUnit.MILLISECONDS);
        }
        window.add(attempt);
        windowBytes += bytes;
        attempt.cancelledBy(cancelled);
    }

    private void cancelled(Attempt attempt) {
        if (attempt.connection() == null && window.removeIf(Attempt::ended)) {
            left(attempt.call());
        }
    }

    /** Notes that a call left the window unsent. */
    private void left(RpcCall call) {
        windowBytes -= bytes(call);
        if (window.isEmpty()) {
            drain();
        }
    }

    private void giveUp(Attempt call) {
        if (!(call.connection() instanceof BatchMessage batch)) {
            window.remove(call);
            left(call.call());
            call.end(ReplyVerdict.failed(Fault.TIMEOUT, Executed.NO, "the node was busy with other calls"));
        } else {
            Executed executed = batch.written() ? Executed.MAYBE : Executed.NO;
            batch.fail(call, ReplyVerdict.failed(Fault.TIMEOUT, executed, "no answer to a batch in time"));
        }
    }

    /** Notes that a request returned, so that others may be sent. */
    private void returned() {
        out--;
        if (out == 0 && !window.isEmpty()) {
            flush();
        }
    }

    private void flush() {
        List<Attempt> flushed = drain();
        int maxCalls = memory.maxCalls();
        for (int i = 0; i < flushed.size(); i += maxCalls) {
            List<Attempt> together = flushed.subList(i, Math.min(flushed.size(), i + maxCalls));
            if (together.size() == 1) {
                together.get(0).cancelTimer();
                sendAlone(together.get(0), together.get(0).deadlineNanos());
            } else {
                send(BatchMessage.of(together));
            }
        }
    }

    private List<Attempt> drain() {
        if (wait != null) {
            wait.cancel(false);
            wait = null;
        }
        List<Attempt> taken = window;
        window = new ArrayList<>();
        windowBytes = 0;
        return taken;
    }

    /** Sends a call singly, with the deadline of that request: the failure of its batch has no effect on it any more. */
    private void sendSingly(Attempt call, Consumer<NodeOutcome> first) {
        call.sentOver(SINGLY);
        call.cancelTimer();
        Attempt single = Attempt.of(CallCause.OTHER, call.holder(), (sent, outcome, isStreamed) -> {
            first.accept(outcome);
            call.end(outcome);
        });
        single.setCall(call.call());
        sendAlone(single, call.deadlineNanos());
    }

    private void send(BatchMessage batch) {
        out++;
        meters.sent(batch.calls().size());
        // The time begins when the batch is written. Before that it waits for a connection, and the node does not have
        // it.
        batch.onWritten(() -> loop.schedule(() -> splitLate(batch), LATE_MILLIS, TimeUnit.MILLISECONDS));
        post(batch, false);
    }

    /** Sends a late batch's calls singly, unless it is still open whether the node answers anything. */
    private void splitLate(BatchMessage batch) {
        List<Attempt> waiting = batch.waiting();
        if (waiting.isEmpty()) {
            return;
        }
        if (doubtful) {
            late.add(batch);
            return;
        }
        doubtful = true;
        meters.split();
        LateCalls calls = new LateCalls(waiting.size());
        waiting.forEach(call -> sendSingly(call, calls::ended));
    }

    private void splitNextLate() {
        doubtful = false;
        List<BatchMessage> next = List.copyOf(late);
        late.clear();
        next.forEach(this::splitLate);
    }

    /** Calls of one late batch that were sent singly. Confined to its event loop. */
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
                splitNextLate();
            }
        }
    }

    private void post(BatchMessage batch, boolean anew) {
        Attempt attempt = Attempt.of(CallCause.OTHER, batch.holder(), (sent, outcome, isStreamed) -> {
            if (!anew && outcome instanceof Failed failed && failed.fault() == Fault.STALE_CONNECTION) {
                post(batch, true);
            } else {
                batch.returned();
                late.remove(batch);
                returned();
                end(batch, outcome);
            }
        });
        attempt.setBatch(batch);
        carrier.send(attempt, anew, batch.deadlineNanos());
    }

    private void end(BatchMessage batch, NodeOutcome outcome) {
        if (outcome instanceof Failed failed) {
            int maxCalls = maxCallsAfter(failed, batch.calls().size());
            if (maxCalls > 0) {
                split(batch.waiting(), maxCalls);
            } else {
                batch.waiting().forEach(call -> batch.fail(call, failed));
            }
        } else if (batch.answer() instanceof BatchMessage.Answer.Refused refused) {
            split(batch.waiting(), refused.maxCalls());
        } else if (batch.answer() instanceof BatchMessage.Answer.Same same) {
            batch.calls().forEach(call -> BatchMessage.endWithPart(call, same.outcome()));
        } else if (batch.answer() instanceof BatchMessage.Answer.Each each) {
            endEach(batch, each.outcomes());
        }
    }

    /** Returns how many calls to try together after this failure of a batch; 0 if it says nothing about batches. */
    private static int maxCallsAfter(Failed failed, int calls) {
        if (failed.retryAfterSeconds() > 0) {
            return 0;
        }
        return switch (failed.fault()) {
            case TOO_LARGE, CALL_TOO_LARGE -> Math.max(1, calls / 2);
            case SERVER_ERROR, BAD_ANSWER, DISCONNECTED -> 1;
            default -> 0;
        };
    }

    private void endEach(BatchMessage batch, List<Optional<NodeOutcome>> outcomes) {
        List<Attempt> calls = batch.calls();
        List<Attempt> again = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            Attempt call = calls.get(i);
            NodeOutcome outcome = outcomes.get(i).orElse(null);
            if (outcome instanceof Answered) {
                BatchMessage.endWithPart(call, outcome);
            } else if (!call.ended() && call.connection() == batch) {
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
            // It may answer a part of each batch only.
            int answered = (int) outcomes.stream().filter(Optional::isPresent).count();
            split(again, Math.max(1, Math.min(calls.size() / 2, answered)));
        }
    }

    /**
     * Sends calls singly.
     *
     * @param maxCalls calls to send together from now on, if the node answers these
     */
    private void split(List<Attempt> calls, int maxCalls) {
        meters.split();
        for (Attempt call : calls) {
            if (!call.ended()) {
                sendSingly(call, outcome -> {
                    if (outcome instanceof Answered) {
                        memory.shrink(maxCalls);
                    }
                });
            }
        }
    }

    /** Fails the unsent calls, so that they can move to another node. */
    public void failUnsent() {
        Failed failed = ReplyVerdict.failed(Fault.CONNECT, Executed.NO, "another connection broke");
        drain().forEach(call -> call.end(failed));
    }

    /** Fails the unsent calls for good. The carrier refuses later ones. */
    public void close() {
        Failed failed = ReplyVerdict.failed(Fault.CLOSED, Executed.NO, "closed");
        drain().forEach(call -> call.end(failed));
    }

    /**
     * Memory of the batch size that one node accepts. After a batch that it refused, batches are smaller for a while, or there
     * are none. Then larger ones are tried again, each time twice the size that is known to work. The while is ten seconds at
     * first. It doubles each time that nothing has changed, up to ten minutes. Thread-safe.
     */
    static final class BatchMemory {

        static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
        static final long MAX_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);

        /**
         * Known state. Immutable.
         *
         * @param maxCalls calls that work together; 1 if no batch does
         * @param untilNanos until when no larger batch is tried
         * @param pauseNanos length of the next such time
         */
        private record State(int maxCalls, long untilNanos, long pauseNanos) {}

        private final int size;
        private final LongSupplier clock;
        private volatile State state;

        /** @param size calls in the largest batch, whatever the node accepts */
        BatchMemory(int size, LongSupplier clock) {
            this.size = size;
            this.clock = clock;
            this.state = new State(size, clock.getAsLong(), FIRST_PAUSE_NANOS);
        }

        /** Returns how many calls a batch may have now; 1 for no batches. */
        int maxCalls() {
            State now = state;
            return now.maxCalls() >= size || isPaused(now) ? now.maxCalls() : Math.min(size, 2 * now.maxCalls());
        }

        private boolean isPaused(State now) {
            return now.untilNanos() - clock.getAsLong() > 0;
        }

        /** Notes that the node accepted a batch. */
        void took(int calls) {
            if (calls > state.maxCalls()) {
                grow(calls);
            }
        }

        private synchronized void grow(int calls) {
            // Ignored if it was sent before a smaller batch proved too large.
            if (calls > state.maxCalls() && !isPaused(state)) {
                state = new State(Math.min(size, calls), clock.getAsLong(), FIRST_PAUSE_NANOS);
            }
        }

        /**
         * Notes that the node refused a batch but answered its calls one by one.
         *
         * @param maxCalls calls to send together from now on, at least 1
         */
        synchronized void shrink(int maxCalls) {
            State before = state;
            boolean paused = isPaused(before);
            if (maxCalls >= (paused ? before.maxCalls() : maxCalls())) {
                // The refused batch was sent before the present limit was known.
                return;
            }
            long until = paused ? before.untilNanos() : clock.getAsLong() + before.pauseNanos();
            long next = paused ? before.pauseNanos() : Math.min(MAX_PAUSE_NANOS, 2 * before.pauseNanos());
            state = new State(Math.min(maxCalls, before.maxCalls()), until, next);
        }
    }
}
