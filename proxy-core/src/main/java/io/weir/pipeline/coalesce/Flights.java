package io.weir.pipeline.coalesce;

import io.weir.cache.CacheMeters;
import io.weir.cache.CallKey;
import io.weir.chain.HeadTracker;
import io.weir.pipeline.CallContext;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The calls of one network that others may join, within a bound. Thread-safe. */
public final class Flights {

    /** Calls under way beyond these are joined by nobody. */
    static final int MAX = 10_000;

    private final ConcurrentHashMap<Identity, Flight> flights = new ConcurrentHashMap<>();
    private final HeadTracker head;
    private final CacheMeters meters;

    /**
     * What calls have in common that one answer serves.
     *
     * @param leastHead and blockExists decide which nodes are asked
     */
    private record Identity(CallKey key, long leastHead, boolean blockExists) {}

    /** Begins without calls. */
    public Flights(HeadTracker head, CacheMeters meters) {
        this.head = head;
        this.meters = meters;
    }

    CacheMeters meters() {
        return meters;
    }

    /**
     * Has a call wait for the answer to the same call under way; if there is none, begins one that others may join.
     *
     * @param failures how often the call's answer has failed to come already
     * @return the flight that the call is to lead; null where it waits
     */
    @Nullable
    Flight joinOrLead(CallContext context, CallKey key, Consumer<Flight.Landing> sink, int failures) {
        Flight running = flights.get(new Identity(key, context.leastHead(), context.blockExists()));
        if (running != null && mayJoin(running, context) && running.join(context, sink)) {
            return null;
        }
        Flight mine = new Flight(head.begin(), context.deadlineNanos(), failures);
        if (flights.size() >= MAX) {
            return mine;
        }
        Identity identity = new Identity(key.compact(), context.leastHead(), context.blockExists());
        mine.onEnd(() -> flights.remove(identity, mine));
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

    /** What was asked before a write was answered must not answer a call that came after. */
    private boolean mayJoin(Flight running, CallContext context) {
        return running.takes(context) && head.covers(running.round());
    }

    /** Lets nobody join what is under way: a node may have answered it before the chain became another. */
    public void closeAll() {
        flights.clear();
    }

    /** How many are under way that others may join. */
    int size() {
        return flights.size();
    }
}
