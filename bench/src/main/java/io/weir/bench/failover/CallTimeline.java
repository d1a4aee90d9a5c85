package io.weir.bench.failover;

import io.weir.bench.load.drive.CallObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Calls of a load by their time, and the faults meanwhile. Written by the driver's event loop and by the run, read after both. */
final class CallTimeline implements CallObserver {

    /** Time after the beginning of a fault in which calls may take longer. */
    static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int DIGITS = 3;

    private final List<Call> calls = new ArrayList<>();
    private final List<Begun> faults = new ArrayList<>();

    private record Call(long fromNanos, long untilNanos) {}

    private record Begun(FaultyNode.Fault fault, long atNanos) {

        private boolean graces(Call call) {
            return call.untilNanos() >= atNanos && call.fromNanos() < atNanos + GRACE_NANOS;
        }
    }

    @Override
    public synchronized void answered(long intendedNanos, long answeredNanos, @Nullable String problem) {
        calls.add(new Call(intendedNanos, answeredNanos));
    }

    synchronized void begun(FaultyNode.Fault fault, long atNanos) {
        faults.add(new Begun(fault, atNanos));
    }

    /** Returns the latencies of calls that began and ended between two times. */
    synchronized Histogram between(long fromNanos, long untilNanos) {
        return of(call -> call.fromNanos() >= fromNanos && call.untilNanos() < untilNanos);
    }

    /** Returns the latencies since the first fault, without the grace times of all faults. */
    synchronized Histogram outside() {
        long first = faults.get(0).atNanos();
        return of(call -> call.fromNanos() >= first && faults.stream().noneMatch(fault -> fault.graces(call)));
    }

    /** Returns the latencies in the grace times of one kind of fault. */
    synchronized Histogram after(FaultyNode.Fault kind) {
        return of(call -> faults.stream().anyMatch(fault -> fault.fault() == kind && fault.graces(call)));
    }

    /** Returns how many faults of a kind have begun. */
    synchronized long count(FaultyNode.Fault kind) {
        return faults.stream().filter(fault -> fault.fault() == kind).count();
    }

    private Histogram of(Predicate<Call> counts) {
        Histogram latencies = new Histogram(MAX_NANOS, DIGITS);
        calls.stream()
                .filter(counts)
                .forEach(call -> latencies.recordValue(Math.min(MAX_NANOS, call.untilNanos() - call.fromNanos())));
        return latencies;
    }
}
