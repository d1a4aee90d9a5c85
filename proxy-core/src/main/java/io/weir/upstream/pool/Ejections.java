package io.weir.upstream.pool;

import com.codahale.metrics.Counter;
import io.weir.metrics.EnumCounters;
import io.weir.metrics.Meter;
import io.weir.metrics.Meters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Ejections of one pool's nodes: of nodes that answer probes, but whose answers to calls are faulty or slow. At most a share of
 * the nodes is out at once for that, and never the last one that calls may use. {@link ReturnDelay} has the time that a node stays
 * out; then a good probe brings it back. Nodes that cannot be reached are down, whatever their number. Thread-safe.
 */
final class Ejections {

    private static final int WHOLE = 100;

    /** Share of the nodes that may be out at once: those that are left must carry the load of all. */
    private static final int MAX_PERCENT = 50;

    /** Reason for which a node is ejected. Immutable. */
    enum Reason {
        /** Several consecutive faults. */
        FAULTS,
        /** Several consecutive faults in one class of calls, while the node answers others. */
        CLASS_FAULTS,
        /** A large share of failed attempts. */
        FAULT_SHARE,
        /** Much slower answers than those of the other nodes. */
        LATENCY
    }

    private final Meters meters;
    private final String network;
    private final List<NodeState.Current> nodes = new CopyOnWriteArrayList<>();

    Ejections(Meters meters, String network) {
        this.meters = meters;
        this.network = network;
    }

    /** Adds a node of the pool. */
    Member add(NodeState.Current state, String upstream) {
        nodes.add(state);
        return new Member(state, upstream);
    }

    private boolean mayEject(NodeState.Current node) {
        int out = 1;
        boolean left = false;
        for (NodeState.Current other : nodes) {
            if (other != node) {
                out += other.get().isEjected() ? 1 : 0;
                left |= other.get().isInPool();
            }
        }
        return left && WHOLE * out <= MAX_PERCENT * nodes.size();
    }

    /** Node that may be ejected. Thread-safe. */
    final class Member {

        private final NodeState.Current state;
        private final Counter refused;
        private final EnumCounters<Reason> ejected;

        private Member(NodeState.Current state, String upstream) {
            this.state = state;
            this.refused = meters.counter(Meter.EJECTIONS_REFUSED, network, upstream);
            this.ejected = new EnumCounters<>(meters, Meter.EJECTIONS, Reason.class, network, upstream);
        }

        /** Counts that the node comes last for a class of calls. */
        void countClass() {
            ejected.count(Reason.CLASS_FAULTS);
        }

        /**
         * Ejects the node, unless too few would be left.
         *
         * @param epoch when the attempts began that say so
         * @param returnNanos time in which a probe must be answered before the node returns
         * @return whether it was in until now
         */
        boolean eject(int epoch, Reason reason, String detail, long returnNanos) {
            synchronized (Ejections.this) {
                if (!mayEject(state)) {
                    refused.inc();
                    return false;
                }
                if (!state.turn(now -> now.eject(epoch, detail, returnNanos))) {
                    return false;
                }
            }
            ejected.count(reason);
            return true;
        }
    }
}
