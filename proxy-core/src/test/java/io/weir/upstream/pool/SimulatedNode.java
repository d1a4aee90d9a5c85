package io.weir.upstream.pool;

import io.netty.channel.EventLoop;
import io.weir.jsonrpc.RpcCall;
import io.weir.upstream.NodeClient;
import io.weir.upstream.NodeOutcome;
import io.weir.upstream.NodeOutcome.Executed;
import io.weir.upstream.NodeOutcome.Failed;
import io.weir.upstream.NodeOutcome.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Node in virtual time, whose condition changes by a plan. Confined to one thread. */
final class SimulatedNode implements NodeClient {

    /** What the node does. */
    enum Condition {
        GOOD,
        /** Answers late. */
        SLOW,
        /** Takes calls and never answers. */
        HANGS,
        /** Answers most calls with HTTP 500. */
        FAILS,
        /** Takes no connection. */
        REFUSES,
        /** Answers with HTTP 429. */
        LIMITS
    }

    /** A condition until a time. */
    record Phase(long fromNanos, long untilNanos, Condition condition) {}

    static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    /** The pause that it asks for when it limits calls, and the longest time until a call learned of it. */
    private static final long LIMITED_NANOS = TimeUnit.MILLISECONDS.toNanos(1_200);

    private static final long REFUSAL_NANOS = TimeUnit.MICROSECONDS.toNanos(300);
    private static final Phase ALWAYS = new Phase(0, Long.MAX_VALUE, Condition.GOOD);

    final FakeNode blocks = new FakeNode();
    final List<Phase> phases = new ArrayList<>();
    final boolean archive;
    private final long latencyNanos;
    private final LongSupplier clock;
    private final Random random;
    int calls;
    int lacking;
    int refused;

    SimulatedNode(boolean archive, long latencyNanos, LongSupplier clock, Random random) {
        this.archive = archive;
        this.latencyNanos = latencyNanos;
        this.clock = clock;
        this.random = random;
    }

    private Phase phase(long nanos) {
        for (Phase phase : phases) {
            if (nanos < phase.untilNanos()) {
                return phase;
            }
        }
        return ALWAYS;
    }

    /** Returns whether it answers every call in time between two times, and no limit of its rate is known any more. */
    boolean isGood(long fromNanos, long untilNanos) {
        return phases.stream()
                .noneMatch(phase -> phase.condition() != Condition.GOOD
                        && phase.fromNanos() < untilNanos
                        && phase.untilNanos() + aftermath(phase.condition()) > fromNanos);
    }

    private static long aftermath(Condition condition) {
        return condition == Condition.LIMITS ? LIMITED_NANOS : 0;
    }

    @Override
    public void ask(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        calls++;
        refused += phase(clock.getAsLong()).condition() == Condition.REFUSES ? 1 : 0;
        run(loop, deadlineNanos, sink, () -> answer(call));
    }

    @Override
    public void probe(EventLoop loop, RpcCall call, long deadlineNanos, OutcomeSink sink) {
        run(loop, deadlineNanos, sink, () -> blocks.outcomeOf(call));
    }

    private NodeOutcome answer(RpcCall call) {
        boolean historic = String.valueOf(call.params()).contains("\"0x1\"");
        if (historic && !archive) {
            lacking++;
            return FakeNode.lacksState();
        }
        return FakeNode.answer("\"0x5\"");
    }

    private void run(
            EventLoop loop, long deadlineNanos, OutcomeSink sink, java.util.function.Supplier<NodeOutcome> answer) {
        long jitter = (long) (latencyNanos * (0.5 + random.nextDouble()));
        long left = Math.max(0, deadlineNanos - clock.getAsLong());
        switch (phase(clock.getAsLong()).condition()) {
            case GOOD -> after(loop, Math.min(jitter, left), sink, answer.get());
            case SLOW -> after(loop, Math.min(SLOW_NANOS + jitter, left), sink, answer.get());
            case HANGS -> after(loop, left, sink, FakeNode.failed(Fault.TIMEOUT));
            case FAILS -> {
                boolean fails = random.nextInt(10) < 8;
                after(loop, jitter, sink, fails ? FakeNode.failed(Fault.SERVER_ERROR) : answer.get());
            }
            case REFUSES -> after(loop, REFUSAL_NANOS, sink, new Failed(Fault.CONNECT, Executed.NO, "refused", 0));
            case LIMITS -> after(loop, jitter, sink, FakeNode.rateLimited(1));
            default -> throw new IllegalStateException();
        }
    }

    private static void after(EventLoop loop, long nanos, OutcomeSink sink, NodeOutcome outcome) {
        loop.schedule(() -> sink.accept(outcome), nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {}
}
