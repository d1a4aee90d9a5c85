package io.weir.pipeline.cache;

import io.weir.cache.CacheMeters;
import io.weir.cache.CallKey;
import io.weir.chain.HeadTracker;
import io.weir.method.params.BlockSelector;
import io.weir.method.params.CheckedParams;
import io.weir.pipeline.CallContext;
import io.weir.upstream.stream.StreamSharing;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Flights of one network that calls may join, within a bound. Thread-safe. */
public final class Flights {

    /** Flights beyond this number are not joined. */
    static final int MAX = 10_000;

    private final ConcurrentHashMap<Identity, Flight> flights = new ConcurrentHashMap<>();
    private final HeadTracker head;
    private final CacheMeters meters;
    private final StreamSharing sharing;

    /**
     * Identity of calls that one answer serves. Immutable.
     *
     * @param leastHead decides, with {@code blockExists}, which nodes are asked
     */
    private record Identity(CallKey key, long leastHead, boolean blockExists) {}

    public Flights(HeadTracker head, CacheMeters meters, StreamSharing sharing) {
        this.head = head;
        this.meters = meters;
        this.sharing = sharing;
    }

    CacheMeters meters() {
        return meters;
    }

    /** Returns the rules by which calls share the streams of large results. */
    StreamSharing sharing() {
        return sharing;
    }

    /**
     * Lets a call wait for the answer to the same call under way. If there is none, begins a flight that others may join.
     *
     * @param failures how often the call's answer has failed already
     * @return the flight that the call leads; null if the call waits
     */
    @Nullable
    Flight joinOrLead(CallContext context, CallKey key, Consumer<Flight.Landing> sink, int failures) {
        Identity identity =
                new Identity(key, context.route().block(), context.route().blockExists());
        Flight running = flights.get(identity);
        if (running != null && mayJoin(running, context) && running.join(context, sink)) {
            return null;
        }
        Flight mine = new Flight(head.now(), context.deadlineNanos(), failures);
        if (flights.size() >= MAX) {
            return mine;
        }
        mine.onEnd(() -> flights.remove(identity, mine));
        if (flights.putIfAbsent(identity, mine) == null) {
            return mine;
        }
        while (true) {
            Flight held =
                    flights.compute(identity, (id, other) -> other != null && mayJoin(other, context) ? other : mine);
            if (mine.equals(held)) {
                return mine;
            }
            if (held.join(context, sink)) {
                return null;
            }
        }
    }

    /**
     * Returns whether a call may join. A call from before the answer to a write must not answer a later call. A block that exists
     * has no later transactions, so a call about one block depends on the head alone.
     */
    private boolean mayJoin(Flight running, CallContext context) {
        boolean covered = isFixed(context) ? head.covers(running.begun()) : head.coversWrites(running.begun());
        return covered && running.takes(context);
    }

    /**
     * Returns whether the call names one block, so that its answer is as valid a moment later. Such an answer enters memory while
     * the leader's client gets it. A call that comes meanwhile shares it, and would find it in memory afterwards.
     */
    static boolean isFixed(CallContext context) {
        CheckedParams params = context.checkedParams();
        return params != null
                && (params.block() instanceof BlockSelector.Hash || params.block() instanceof BlockSelector.Height);
    }

    /** Closes all flights to new calls: a node may have answered them before the chain changed. */
    public void closeAll() {
        flights.clear();
    }

    /** Returns the number of flights that calls may join. */
    int size() {
        return flights.size();
    }
}
